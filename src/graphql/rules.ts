import {
  IsOptional,
  ValidateBy,
  ValidationError,
  validateSync,
  type ValidationArguments,
} from "class-validator";
import type { FieldFault } from "../shared/refusal";
import { Refusal } from "../shared/refusal";
import { exponentOf } from "../shared/currencies";
import { parseAmount } from "../shared/money";
import {
  containsCardNumber,
  faultOfKey,
  faultOfReference,
  faultOfText,
  faultsOfMetadata,
} from "../shared/text";

/** Makes a class-validator rule of a function that says what a value must be; null where it is so. */
function rule(name: string, faultOf: (value: unknown, object: object) => string | null): PropertyDecorator {
  const fault = (args?: ValidationArguments) => (args ? faultOf(args.value, args.object) : null);
  return ValidateBy({
    name,
    validator: {
      validate: (_, args) => fault(args) === null,
      defaultMessage: (args) => fault(args) ?? "",
    },
  });
}

const onText = (faultOf: (text: string) => string | null) => (value: unknown) =>
  typeof value === "string" ? faultOf(value) : "must be a string";

const onEach = (faultOf: (text: string) => string | null) => (value: unknown) =>
  Array.isArray(value)
    ? (value.map(onText(faultOf)).find((fault) => fault !== null) ?? null)
    : "must be a list";

/** 1 to 100 visible ASCII characters. */
export const IsKey = () => rule("key", onText(faultOfKey));

/** An order's or a customer's reference: 1 to 100 bytes. */
export const IsReference = () => rule("reference", onText(faultOfReference));

/** Other text: at most 500 characters. */
export const IsText = () => rule("text", onText(faultOfText));

/** The metadata rules; each member's fault is told by its own path. */
export const IsMetadata = () =>
  rule(METADATA, (value) => (faultsOfMetadata(value).length > 0 ? "breaks a rule" : null));

const METADATA = "metadata";

/** A known ISO 4217 code. */
export const IsCurrency = () =>
  rule("currency", (value) =>
    typeof value === "string" && exponentOf(value) !== undefined
      ? null
      : "must be an ISO 4217 code in upper case, such as BRL",
  );

/** Each is a known ISO 4217 code. */
export const AreCurrencies = () =>
  rule(
    "currencies",
    onEach((text) =>
      exponentOf(text) === undefined ? "must be ISO 4217 codes in upper case, such as BRL" : null,
    ),
  );

/** Each is a text of at most 500 characters. */
export const AreTexts = () => rule("texts", onEach(faultOfText));

/** An exact decimal in the currency beside it. Where that one is unknown, its own fault is told, and here the shape is checked. */
export const IsAmount = () =>
  rule("amount", (value, object) => {
    const { currency } = object as { currency?: unknown };
    const known = typeof currency === "string" && exponentOf(currency) !== undefined;
    const parsed = parseAmount(String(value), known ? currency : MOST_DECIMALS);
    return parsed.ok ? null : parsed.message;
  });

/** A currency of four decimals. */
const MOST_DECIMALS = "CLF";

/** A provider's token: it looks like no card number. */
export const IsCardToken = () =>
  rule(
    "cardToken",
    onText((text) => {
      if (containsCardNumber(text)) return "must be a token of the provider's vault, never a card number";
      return /^[!-~]{1,255}$/.test(text) ? null : "must be 1 to 255 visible ASCII characters";
    }),
  );

/** CPF (11 digits) or CNPJ (14 digits). */
export const IsTaxId = () =>
  rule(
    "taxId",
    onText((text) =>
      /^(\d{11}|\d{14})$/.test(text) ? null : "must be a CPF (11 digits) or CNPJ (14 digits)",
    ),
  );

/** One @ with something on both sides. */
export const IsEmailAddress = () =>
  rule(
    "email",
    onText(
      (text) => faultOfText(text) ?? (/^[^\s@]+@[^\s@]+$/.test(text) ? null : "must be an e-mail address"),
    ),
  );

/** Where a payer comes back to: https, or http on this machine. */
export const IsReturnUrl = () =>
  rule(
    "returnUrl",
    onText(
      (text) =>
        faultOfText(text) ??
        (isReturnUrl(text) ? null : "must be an https address, or http on a loopback address"),
    ),
  );

function isReturnUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}

/** A whole number within bounds. */
export const IsWithin = (least: number, most: number) =>
  rule("within", (value) =>
    typeof value === "number" && value >= least && value <= most ? null : `must be from ${least} to ${most}`,
  );

/** Absent and null are fine. */
export const Maybe = () => IsOptional();

/**
 * Checks arguments against the rules of their classes, for type-graphql.
 * @throws Refusal BAD_USER_INPUT with every fault and its path
 */
export function checkRules(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const fields = validateSync(value, { forbidUnknownValues: false }).flatMap((error) => faultsOf(error, ""));
  if (fields.length > 0) throw badInput(fields);
}

/** The refusal of an input, its faults in its message too. */
export function badInput(fields: FieldFault[]): Refusal<"BAD_USER_INPUT"> {
  const told = fields.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new Refusal("BAD_USER_INPUT", `The input breaks a rule: ${told}.`, { fields });
}

function faultsOf(error: ValidationError, above: string): FieldFault[] {
  const path = above === "" ? error.property : `${above}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).flatMap(([name, message]) =>
    name === METADATA
      ? faultsOfMetadata(error.value).map((fault) => ({
          ...fault,
          path: fault.path === "" ? path : `${path}.${fault.path}`,
        }))
      : [{ path, message }],
  );
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, path))];
}
