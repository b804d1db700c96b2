import {
  isCalledOff,
  type CancelRequest,
  type CaptureRequest,
  type Outcome,
  type RefundRequest,
  type RefundSnapshot,
  type Snapshot,
} from "../provider";
import { readIntent } from "./intent";
import { judge, unknown, type Call, type Shown } from "./read-outcome";
import { readRefundObject } from "./refund";
import type { Reply } from "./reply";
import { scrub } from "./scrub";

/** What a call of `capture` came to: it happened only where the intent names our capture as its latest. */
export function readCapture(reply: Reply, sent: CaptureRequest, call: Call): Outcome {
  const object = (body: unknown) => {
    const shown = theIntent(body, sent.payment, call);
    if (shown.kind === "unknown") return shown;
    const { snapshot } = shown;
    if (snapshot.capturedBy !== sent.reference)
      return unknown({ cause: "conflict", detail: `${snapshot.reference} does not show the capture` });
    const ours = snapshot.captured;
    return ours.currency === sent.amount.currency && ours.minor >= sent.amount.minor
      ? shown
      : unknown<Snapshot>(
          { cause: "other_amount", detail: `captured ${ours.minor} ${ours.currency}` },
          snapshot,
        );
  };
  return judge(reply, { object }, call);
}

/** What a call of `cancel` came to: it happened where nothing can be captured any more, and nothing was that should not. */
export function readCancel(reply: Reply, sent: CancelRequest, call: Call): Outcome {
  const object = (body: unknown) => {
    const shown = theIntent(body, sent.payment, call);
    if (shown.kind === "unknown" || isCalledOff(shown.snapshot, sent)) return shown;
    return unknown({
      cause: "conflict",
      detail: `${shown.snapshot.reference} is still ${shown.snapshot.state}`,
    });
  };
  return judge(reply, { object }, call);
}

/** What a call of `refund` came to: the refund is ours, of this payment, and has our amount. */
export function readRefund(reply: Reply, sent: RefundRequest, call: Call): Outcome<RefundSnapshot> {
  const object = (body: unknown): Shown<RefundSnapshot> => {
    const read = readRefundObject(body, call.asked);
    if (read.kind === "unreadable") return unknown({ cause: "unreadable_reply", detail: scrub(read.detail) });
    const { snapshot } = read;
    if (snapshot.payment !== sent.payment || snapshot.ours !== sent.reference)
      return unknown({ cause: "unreadable_reply", detail: `${snapshot.reference} is not ours` });
    const { minor, currency } = snapshot.amount;
    if (minor !== sent.amount.minor || currency !== sent.amount.currency)
      return unknown({ cause: "other_amount", detail: `refunded ${minor} ${currency}` }, snapshot);
    return { ...read, kind: "shown", refused: null };
  };
  return judge(reply, { object }, call);
}

function theIntent(body: unknown, payment: string, call: Call): Shown<Snapshot> {
  const read = readIntent(body, call.asked);
  if (read.kind === "unreadable") return unknown({ cause: "unreadable_reply", detail: scrub(read.detail) });
  if (read.snapshot.reference !== payment)
    return unknown({ cause: "unreadable_reply", detail: `${read.snapshot.reference} is another payment` });
  return { ...read, kind: "shown", refused: null };
}
