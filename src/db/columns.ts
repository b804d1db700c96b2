import type { ValueTransformer } from "typeorm";

/** `bigint` columns arrive as strings ("150" + "50" is "15050"): they are bigints inside. */
export const bigintColumn: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : BigInt(text)),
  to: (value: bigint | null | undefined) => (typeof value === "bigint" ? value.toString() : value),
};
