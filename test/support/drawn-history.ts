import fc from "fast-check";

/** Something that happens: a merchant's call, or what others do meanwhile. */
export type Act =
  | { by: "merchant"; kind: "capture"; minor: number | null; final: boolean; times: number }
  | { by: "merchant"; kind: "cancel"; times: number }
  | { by: "merchant"; kind: "refund"; minor: number | null; times: number }
  | { by: "payer"; kind: "pay" | "pay_late" | "fail" }
  /** At the provider's dashboard, or by its bank. */
  | { by: "provider"; kind: "refund" | "revoke"; minor: number }
  | { by: "provider"; kind: "capture" | "cancel" }
  /** The time in which the payer has to act is over. */
  | { by: "clock" }
  /** Webhooks that were held come now, in this order and so often. */
  | { by: "post"; order: number[]; copies: number[] };

const part = fc.integer({ min: 1, max: 12 }).map((n) => n * 1_000);
const minor = fc.option(part, { freq: 6 });
const times = fc.integer({ min: 1, max: 3 });
const constant = fc.constant;
const merchant = constant("merchant" as const);
const provider = constant("provider" as const);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      by: merchant,
      kind: constant("capture" as const),
      minor,
      final: fc.boolean(),
      times,
    }),
  },
  { weight: 2, arbitrary: fc.record({ by: merchant, kind: constant("cancel" as const), times }) },
  { weight: 8, arbitrary: fc.record({ by: merchant, kind: constant("refund" as const), minor, times }) },
  {
    weight: 4,
    arbitrary: fc.record({
      by: constant("payer" as const),
      kind: fc.constantFrom("pay" as const, "pay" as const, "pay_late" as const, "fail" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      by: provider,
      kind: fc.constantFrom("refund" as const, "revoke" as const),
      minor: part,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ by: provider, kind: fc.constantFrom("capture" as const, "cancel" as const) }),
  },
  { weight: 1, arbitrary: constant({ by: "clock" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      by: constant("post" as const),
      order: fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
      copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
    }),
  },
);

/** What happens at once, while answers are lost or not, and webhooks are not taken the first time. */
const step = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 4 }),
  lost: fc.constantFrom(0, 0, 0.5, 1),
  dropped: fc.constantFrom(0, 0, 2),
});
const method = fc.constantFrom("card", "secured", "pix");
/** One payment: how it is made, and the steps of its life. */
export const history = fc.record({
  method,
  captureMode: fc.constantFrom("MANUAL" as const, "MANUAL" as const, "AUTOMATIC" as const),
  created: fc.record({ times, lost: fc.constantFrom(0, 0, 0.5, 1) }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
});
/** A history as it was drawn. */
export type Drawn = typeof history extends fc.Arbitrary<infer T> ? T : never;
