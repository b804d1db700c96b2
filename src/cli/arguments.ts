import { InvalidArgumentError, Option } from "commander";
import { PAGE_AT_MOST, PAGE_SIZE } from "../db/page";
import { decodeId, type Prefix } from "../shared/ids";
import { faultOfReference } from "../shared/text";

/** Reads a public id of one kind, and gives its uuid. */
export const idOf =
  (prefix: Prefix, of: string) =>
  (text: string): string => {
    const id = decodeId(prefix, text);
    if (id === null)
      throw new InvalidArgumentError(`It must be ${of}'s id, as ${prefix}_ and 26 characters.`);
    return id;
  };

/** Reads a name, by the rule that the API has for it. */
export function nameOf(text: string): string {
  const fault = faultOfReference(text);
  if (fault !== null) throw new InvalidArgumentError(`It ${fault}.`);
  return text;
}

/** Reads a whole number within bounds. */
export const wholeOf =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return number;
  };

/** `--merchant mer_…`: whose rows are meant. */
export const merchantOption = (): Option =>
  new Option("--merchant <id>", "of which merchant: mer_…").argParser(idOf("mer", "a merchant"));

/**
 * `--first n`: how many rows a list has at most.
 * @param what "how many …", for people
 */
export const firstOption = (what: string): Option =>
  new Option("--first <n>", `${what} at most: 1 to ${PAGE_AT_MOST}`)
    .argParser(wholeOf(1, PAGE_AT_MOST))
    .default(PAGE_SIZE);
