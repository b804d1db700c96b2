/**
 * Gives every style element that a script makes the nonce of this page: Monaco makes them, and knows no nonce. Style
 * that comes as markup stays refused. Imported before anything that makes one.
 */
function passNonceOn(): void {
  const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce;
  if (!nonce) return;
  const create = document.createElement;
  document.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
    const element: HTMLElement = create.call(this, name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}

passNonceOn();
