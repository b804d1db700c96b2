/**
 * Makes a provider's text fit for operators and logs: no key, no token, no card number, and of bounded length.
 * @param text what a provider or the network said
 */
export function scrub(text: string): string {
  const cut = text.slice(0, LONGEST_READ);
  return SECRETS.reduce((rest, secret) => rest.replace(secret, "[removed]"), cut)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST);
}

/** A detail is a line on an operator's page. */
const LONGEST = 300;

/** The patterns run over this much at most, so that a huge reply costs nothing. */
const LONGEST_READ = 4_000;

const SECRETS = [
  // Stripe's keys (also as it masks them in messages), webhook secrets, and credentials in a header.
  /\b(?:sk|rk|pk|ek|whsec)_[\w*.-]+/gi,
  /\b(?:bearer|basic)\s+[\w+/=.~*-]+/gi,
  // What confirms an intent from a browser, then whatever stands for a card.
  /\b(?:pi|seti)_\w+_secret_\w+/gi,
  /\b(?:pm|tok|card|src|ctoken|cus)_\w+/gi,
  // A card number has 12 to 19 digits, which people write in groups.
  /\d(?:[ -]?\d){11,18}/g,
];
