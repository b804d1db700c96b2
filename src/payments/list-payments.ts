import type { Reader } from "../db/transaction";
import { filterName, readPage, withRows, type Page, type PageWanted } from "../db/page";
import { Where } from "../db/where";
import { assert } from "../shared/assert";
import { decodeId } from "../shared/ids";
import { parseAmount } from "../shared/money";
import { paymentsOf } from "./find-payments";
import type { PaymentMethodType } from "../providers/payer-action";
import type { Payment } from "./payment.entity";
import type { PaymentStatus } from "./payment-state";

/** Which payments: those to which everything that is given applies. A list means any of its members. */
export interface PaymentFilter {
  status?: PaymentStatus[] | null;
  methodType?: PaymentMethodType[] | null;
  currency?: string[] | null;
  provider?: string[] | null;
  /** Half open: from ≤ createdAt < to. */
  createdAt?: { from?: Date | null; to?: Date | null } | null;
  /** Both ends included, as decimals of the currency. */
  amount?: { currency: string; min?: string | null; max?: string | null } | null;
  orderReference?: string | null;
  customerReference?: string | null;
  /** The whole of an id, key, order's, customer's or provider's reference. */
  search?: string | null;
}

/** By which time a list of payments is ordered, and from which end. */
export interface PaymentOrder {
  field: "CREATED_AT" | "UPDATED_AT";
  direction: "ASC" | "DESC";
}

/** Newest first. */
const NEWEST: PaymentOrder = { field: "CREATED_AT", direction: "DESC" };

/**
 * A page of the merchant's payments. In the order of their making, which never changes, a walk meets each payment that
 * was there at its start, and still matches, exactly once, whatever is added or changed meanwhile. The order of the last
 * change moves while a walk is under way, and all payments that match are read for it.
 * @throws Refusal BAD_USER_INPUT for a cursor of another list, merchant, filter or order
 */
export async function listPayments(
  read: Reader,
  wanted: PageWanted & { filter?: PaymentFilter | null; orderBy?: PaymentOrder | null },
): Promise<Page<Payment>> {
  const filter = wanted.filter ?? {};
  const { field, direction } = wanted.orderBy ?? NEWEST;
  const list = {
    name: ["payments", filterName(filter), field, direction],
    table: "payments",
    where: whereOf(read, filter),
    time: field === "CREATED_AT" ? "created_at" : "updated_at",
    newestFirst: direction === "DESC",
  };
  const page = await readPage(read, list, wanted);
  const ids = page.edges.map((edge) => edge.node);
  return withRows(page, await paymentsOf(read, ids));
}

/** Counting may take this long, in milliseconds. */
const COUNT_WITHIN = 1_000;
const CANCELED_BY_TIMEOUT = "57014";

/** How many payments the filter matches; null where counting took too long. It needs a transaction of its own, which a timeout ends. */
export async function countPayments(read: Reader, filter: PaymentFilter): Promise<number | null> {
  const where = whereOf(read, filter);
  await read.sql(`set local statement_timeout = ${COUNT_WITHIN}`);
  try {
    const [counted] = await read.sql<{ n: string }>(
      `select count(*) as n from payments where ${where.text}`,
      where.values,
    );
    return Number(counted?.n ?? 0);
  } catch (error) {
    if ((error as { driverError?: { code?: string } }).driverError?.code === CANCELED_BY_TIMEOUT) return null;
    throw error;
  }
}

function whereOf({ merchantId }: Reader, filter: PaymentFilter): Where {
  const { createdAt, amount, search } = filter;
  const searchedId = decodeId("pay", search ?? "");
  return new Where(merchantId)
    .and(filter.status, (status) => `status = any(${status})`)
    .and(filter.methodType, (method) => `method_type = any(${method})`)
    .and(filter.currency, (currency) => `currency = any(${currency})`)
    .and(filter.provider, (provider) => `provider = any(${provider})`)
    .and(createdAt?.from, (from) => `created_at >= ${from}`)
    .and(createdAt?.to, (to) => `created_at < ${to}`)
    .and(amount?.currency, (currency) => `currency = ${currency}`)
    .and(minorOf(amount, amount?.min), (min) => `amount >= ${min}`)
    .and(minorOf(amount, amount?.max), (max) => `amount <= ${max}`)
    .and(filter.orderReference, (order) => `order_reference = ${order}`)
    .and(filter.customerReference, (customer) => `customer_reference = ${customer}`)
    .and(searchedId, (id) => `id = ${id}`)
    .and(searchedId === null ? search : null, (text) => `id = any(array(${foundBy(text)}))`);
}

/** Whatever the text is the whole of. Each part has an index of its own; an OR over them would read every payment. */
const foundBy = (text: string) => `
  select payment_id from operations
    where merchant_id = $1 and kind = 'CREATE_PAYMENT' and session_order = '' and idempotency_key = ${text}
  union all select payment_id from operations
    where merchant_id = $1 and kind = 'CREATE_PAYMENT' and session_order <> '' and idempotency_key = ${text}
  union all select id from payments where merchant_id = $1 and order_reference = ${text}
  union all select id from payments where merchant_id = $1 and customer_reference = ${text}
  union all select payment_id from provider_references where merchant_id = $1 and provider_reference = ${text}`;

function minorOf(amount: PaymentFilter["amount"], decimal: string | null | undefined): string | null {
  if (amount == null || decimal == null) return null;
  const parsed = parseAmount(decimal, amount.currency);
  assert(parsed.ok, "the bounds of an amount have been checked");
  return parsed.money.minor.toString();
}
