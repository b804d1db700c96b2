const DAY_MS = 86_400_000;
/** Febraban counts the days of a due date from here, since its counter began again at 1000 on 22 February 2025. */
const FACTOR_BEGINS = Date.UTC(2022, 4, 29);
/** No bank has this number. */
const BANK = "999";
const REAL = "9";
/** Brazil has had no summer time since 2019. */
const SAO_PAULO_MS = -3 * 3_600_000;

/** The last second of a day in São Paulo, `days` after an instant: when a boleto expires (milliseconds). */
export function endOfDayAfter(days: number, from: number): number {
  const today = Math.floor((from + SAO_PAULO_MS) / DAY_MS);
  return (today + days + 1) * DAY_MS - SAO_PAULO_MS - 1_000;
}

/**
 * The 47 digits that a payer types, with Febraban's check digits.
 * @param amount minor units of BRL
 * @param ours 25 digits that name the boleto
 */
export function boletoLine({ amount, dueAt, ours }: { amount: number; dueAt: number; ours: string }): string {
  const factor = String(Math.floor((dueAt + SAO_PAULO_MS - FACTOR_BEGINS) / DAY_MS)).padStart(4, "0");
  const due = `${factor}${String(amount).padStart(10, "0")}`;
  const fields = [`${BANK}${REAL}${ours.slice(0, 5)}`, ours.slice(5, 15), ours.slice(15)];
  const check = modulo11(`${BANK}${REAL}${due}${ours}`);
  return `${fields.map((one) => one + modulo10(one)).join("")}${check}${due}`;
}

function modulo10(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const product = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

function modulo11(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * ((at % 8) + 2), 0);
  const check = 11 - (sum % 11);
  return String(check > 9 ? 1 : check);
}
