import { comeBack, deedPoint } from "./deeds";
import type { Answer, Call, History, Intent, OperationRead, PaymentRead, Standing } from "./history";
import type { Point } from "./linearize";
import { capturable, followed, refundable, TAKEN, UNPAID, type Model } from "./model";

/** Every point of one payment's history. */
export function pointsOf(payment: PaymentRead, history: History): Point<Model>[] {
  const calls = history.calls.filter((call) => isAbout(call, payment));
  const deeds = history.deeds.filter((deed) => deed.paymentIntent === payment.providerReference);
  const points = [
    ...payment.operations.flatMap((operation) => operationPoints(operation, payment, calls)),
    ...calls.flatMap((call, nth) => callPoints(call, `call ${nth + 1}`, payment)),
    ...deeds.map((deed, nth) => deedPoint(deed, `deed ${nth + 1}`, payment)),
    ...comeBack(payment),
  ];
  return [...points, lastLook(payment, points)];
}

/** How the payment stands when nothing runs any more is what all that happened has led to. */
function lastLook(payment: PaymentRead, before: Point<Model>[]): Point<Model> {
  return {
    name: "the last look",
    from: Infinity,
    to: Infinity,
    after: before.map(({ name }) => name),
    apply: (model) => (stands(model, payment) ? model : null),
  };
}

function isAbout({ intent, key }: Call, payment: PaymentRead): boolean {
  if (intent.kind !== "create") return intent.paymentId === payment.id;
  return payment.operations.some((one) => one.kind === "create" && one.key === key);
}

/** An operation reserves when it is accepted, takes effect, and ends with a result that is what stands then. */
function operationPoints(operation: OperationRead, payment: PaymentRead, calls: Call[]): Point<Model>[] {
  const mine = calls.filter(({ intent, key }) => intent.kind === operation.kind && key === operation.key);
  const told = mine.flatMap(({ answer, ended }) => (answer?.kind === "operation" ? [{ answer, ended }] : []));
  const from = Math.min(...mine.map(({ begun }) => begun));
  const accepted = Math.min(...told.map(({ ended }) => ended));
  const over = Math.min(...told.filter(({ answer }) => hasEnded(answer)).map(({ ended }) => ended));
  const name = `${operation.kind} ${operation.key}`;
  const [begin, effect, end] = [`${name} begins`, `${name} takes effect`, `${name} ends`];
  const intent = mine.find((call) => call.answer?.kind === "operation")?.intent ?? mine[0]?.intent;
  if (!intent) return [];
  const points: Point<Model>[] = [
    {
      name: begin,
      from,
      to: accepted,
      after: [],
      apply: (model) => reserve(model, operation, intent, payment),
    },
  ];
  const isDone = operation.state === "SUCCEEDED";
  if (!isDone && operation.state !== "FAILED") return points;
  if (isDone && operation.kind !== "create")
    points.push({
      name: effect,
      from,
      to: over,
      after: [begin],
      apply: (model) => take(model, operation, intent),
    });
  points.push({
    name: end,
    from,
    to: over,
    after: isDone && operation.kind !== "create" ? [effect] : [begin],
    apply: (model) => asResult(finish(model, operation, payment), operation),
  });
  return points;
}

const hasEnded = ({ state }: Extract<Answer, { kind: "operation" }>) =>
  state === "SUCCEEDED" || state === "FAILED";

function reserve(
  model: Model,
  { key, minor }: OperationRead,
  intent: Intent,
  payment: PaymentRead,
): Model | null {
  switch (intent.kind) {
    case "create":
      return model.status === "NONE" && minor === payment.minor ? { ...model, status: "PROCESSING" } : null;
    case "capture": {
      const left = capturable(model);
      if (model.changing !== null || left === 0 || minor === null || minor > left) return null;
      return minor === (intent.minor ?? left) ? { ...model, changing: key, capturing: minor } : null;
    }
    case "cancel":
      return model.changing === null && mayCancel(model) ? { ...model, changing: key } : null;
    case "refund": {
      const left = refundable(model);
      if (left === 0 || minor === null || minor > left) return null;
      return minor === (intent.minor ?? left) ? { ...model, refunding: model.refunding + minor } : null;
    }
  }
}

const mayCancel = (model: Model) => capturable(model) > 0 || model.status === "REQUIRES_ACTION";

/** The money moves. */
function take(model: Model, { minor }: OperationRead, intent: Intent): Model | null {
  switch (intent.kind) {
    case "create":
      return model;
    case "capture": {
      const captured = model.captured + (minor ?? 0);
      if (captured > model.authorized) return null;
      return followed({ ...model, captured, authorized: intent.final ? captured : model.authorized });
    }
    case "cancel":
      if (UNPAID.includes(model.status)) return model;
      if (TAKEN.includes(model.status)) return followed({ ...model, authorized: model.captured });
      return { ...model, status: "CANCELED", authorized: 0 };
    case "refund": {
      const [refunded, refunding] = [model.refunded + (minor ?? 0), model.refunding - (minor ?? 0)];
      return refunded > model.captured ? null : followed({ ...model, refunded, refunding });
    }
  }
}

/** What was reserved is free. */
function finish(model: Model, operation: OperationRead, payment: PaymentRead): Model {
  switch (operation.kind) {
    case "create":
      return created(model, operation, payment);
    case "capture":
    case "cancel":
      return { ...model, changing: null, capturing: 0 };
    case "refund":
      return operation.state === "SUCCEEDED"
        ? model
        : { ...model, refunding: model.refunding - (operation.minor ?? 0) };
    case "resolve":
      return model;
  }
}

function created(model: Model, { result, state }: OperationRead, { minor, captureMode }: PaymentRead): Model {
  if (model.status !== "PROCESSING") return model;
  if (result === null) return { ...model, status: state };
  const { paymentStatus: status, captured, refunded } = result;
  const isHeld = status === "AUTHORIZED" || status === "PARTIALLY_CAPTURED";
  const authorized = isHeld && captureMode === "MANUAL" ? minor : captured;
  return { ...model, status, authorized, captured, refunded };
}

function asResult(model: Model, { result }: OperationRead): Model | null {
  if (result === null) return model;
  const isSame =
    isStatus(model, result.paymentStatus) &&
    model.captured === result.captured &&
    model.refunded === result.refunded;
  return isSame ? model : null;
}

/** A doubt is shown of what the rules know as running. */
const isStatus = (model: Model, shown: string) =>
  model.status === (shown === "IN_DOUBT" ? "PROCESSING" : shown);

/** A refusal and a standing are looks: they say what was so at one instant of the call. */
function callPoints(
  { begun, ended, answer, intent }: Call,
  name: string,
  { id }: PaymentRead,
): Point<Model>[] {
  if (answer === null || (answer.kind === "operation" && answer.payment.id !== id)) return [];
  const look = { name, from: begun, to: ended, after: [] };
  if (answer.kind === "refused")
    return [{ ...look, apply: (model) => (isReason(model, intent, answer) ? model : null) }];
  return [{ ...look, apply: (model) => (stands(model, answer.payment) ? model : null) }];
}

function isReason(
  model: Model,
  intent: Intent,
  { code, reason }: Extract<Answer, { kind: "refused" }>,
): boolean {
  if (reason === "OPERATION_IN_PROGRESS") return model.changing !== null;
  if (code !== "INVALID_STATE") return true;
  if (intent.kind === "cancel") return !mayCancel(model);
  const left = intent.kind === "capture" ? capturable(model) : refundable(model);
  return left === 0 || ("minor" in intent && intent.minor !== null && intent.minor > left);
}

function stands(model: Model, shown: Standing): boolean {
  return (
    isStatus(model, shown.status) &&
    model.captured === shown.captured &&
    model.refunded === shown.refunded &&
    capturable(model) === shown.capturable &&
    refundable(model) === shown.refundable
  );
}
