/** What a form or a query holds, nested as Stripe nests it: `metadata[a]=1`, `expand[]=latest_charge`. */
export interface Form {
  [name: string]: string | string[] | Form;
}

const NAMES_AT_MOST = 1_000;

/** Reads `application/x-www-form-urlencoded` with Stripe's brackets. */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  let names = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if ((names += 1) > NAMES_AT_MOST) break;
    put(
      form,
      name.split(/\[|\]\[|\]$/).filter((part, place) => place === 0 || part !== "" || name.endsWith("[]")),
      value,
    );
  }
  return form;
}

function put(form: Form, [name = "", next, ...rest]: string[], value: string): void {
  if (next === undefined) {
    form[name] = value;
  } else if (next === "" || /^\d+$/.test(next)) {
    const list = form[name];
    form[name] = Array.isArray(list) ? [...list, value] : [value];
  } else {
    const inner = form[name];
    const nested = typeof inner === "object" && !Array.isArray(inner) ? inner : (Object.create(null) as Form);
    form[name] = nested;
    put(nested, [next, ...rest], value);
  }
}

/** The text under a name; undefined where there is none. */
export function textOf(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === "string" ? value : undefined;
}
