import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Merchants and their keys, provider accounts, operations (what an idempotency key names), payments, attempts at
 * providers, the history of a payment and its outbox. Every tenant table is keyed by merchant first.
 *
 * Rows that T1 and T2 write refer to each other without foreign keys: at SERIALIZABLE the check of a foreign key reads
 * the page of the index that everybody is inserting into, and most transactions that run side by side then abort
 * (docs/decisions/0003-no-foreign-keys-in-the-payment-path.md).
 */
export class ChargeOnce1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tenants);
    await runner.query(operations);
    await runner.query(payments);
    await runner.query(history);
    await runner.query(primaryKeys);
    await runner.query(walls);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table outbox, payment_events, attempts, provider_references, payments, key_collisions, operation_counters,
                 unfinished_operations, operations,
                 provider_accounts, api_keys, merchants`);
  }
}

const tenants = `
  create table merchants (
    id uuid primary key,
    name text not null,
    created_at timestamptz not null default now()
  );

  create table api_keys (
    merchant_id uuid not null references merchants,
    id uuid not null,
    name text not null,
    role text not null check (role in ('ADMIN', 'PAYMENTS', 'VIEWER', 'OPERATOR')),
    prefix text not null,
    secret_hash bytea not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    primary key (merchant_id, id)
  );
  -- A credential names its merchant, so this one is looked up across merchants.
  create unique index api_keys_secret on api_keys (secret_hash);

  create table provider_accounts (
    merchant_id uuid not null references merchants,
    id uuid not null,
    provider text not null,
    name text not null,
    priority integer not null default 0,
    enabled boolean not null default true,
    secret bytea not null,
    created_at timestamptz not null default now(),
    primary key (merchant_id, id)
  );`;

const operations = `
  create table operations (
    merchant_id uuid not null references merchants,
    id uuid not null,
    kind text not null check (kind in ('CREATE_PAYMENT')),
    -- The order of the client session that sent the key; '' for the merchant's own keys.
    session_order text not null default '',
    idempotency_key text collate "C" not null,
    fingerprint text not null,
    intent bytea,
    -- No foreign key: the operation is inserted first, before its payment.
    payment_id uuid not null,
    state text not null check (state in ('PROCESSING', 'AWAITING_PROVIDER', 'IN_DOUBT', 'PARKED', 'SUCCEEDED', 'FAILED')),
    result jsonb,
    last_error text,
    created_at timestamptz not null default now(),
    completed_at timestamptz,
    replayable_until timestamptz not null
  ) with (fillfactor = 45);
  -- The fence: an idempotency key takes effect once.
  create unique index operations_key on operations (merchant_id, kind, session_order, idempotency_key);
  create index operations_payment on operations (merchant_id, payment_id);

  -- What is still to be done: a row for each operation that is neither ended nor parked. A table of its own, because an
  -- index on a column that changes would end HOT updates on operations, and with them the peace of serializable T2s.
  create table unfinished_operations (
    merchant_id uuid not null references merchants,
    operation_id uuid not null,
    lease_token uuid,
    lease_expires_at timestamptz,
    -- When the worker takes the operation next: the lease's end, then the recovery schedule.
    due_at timestamptz not null,
    recovery_steps integer not null default 0,
    pulled_at timestamptz
  );
  create index unfinished_operations_due on unfinished_operations (due_at);

  create table operation_counters (
    merchant_id uuid not null references merchants,
    operation_id uuid not null,
    replays bigint not null default 0,
    collisions bigint not null default 0,
    primary key (merchant_id, operation_id)
  ) with (fillfactor = 50);

  create table key_collisions (
    merchant_id uuid not null references merchants,
    operation_id uuid not null,
    id uuid not null,
    at timestamptz not null default now(),
    changed_fields text[],
    actor text not null,
    primary key (merchant_id, operation_id, id)
  );`;

const payments = `
  create table payments (
    merchant_id uuid not null references merchants,
    id uuid not null,
    status text not null check (status in ('PROCESSING', 'REQUIRES_ACTION', 'AUTHORIZED', 'PARTIALLY_CAPTURED', 'CAPTURED',
      'PARTIALLY_REFUNDED', 'REFUNDED', 'FAILED', 'CANCELED', 'EXPIRED', 'IN_DOUBT', 'CONFLICTED')),
    version integer not null default 1,
    -- How many events tell of it: the next one's number, taken under the payment's row lock.
    event_count integer not null default 0,
    currency text not null,
    -- Minor units, below 2^53 so that every client's numbers can hold them.
    amount bigint not null check (amount between 1 and 9007199254740991),
    authorized bigint not null default 0 check (authorized >= 0),
    captured bigint not null default 0 check (captured >= 0),
    refunded bigint not null default 0 check (refunded >= 0),
    capture_mode text not null check (capture_mode in ('AUTOMATIC', 'MANUAL')),
    method_type text not null check (method_type in ('CARD', 'PIX', 'BOLETO')),
    card jsonb,
    next_action jsonb,
    failure jsonb,
    idempotency_key text collate "C" not null,
    order_reference text,
    customer_reference text,
    description text,
    metadata jsonb not null default '{}',
    payer bytea,
    return_url text,
    provider_account_id uuid not null,
    provider text not null,
    provider_reference text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    authorized_at timestamptz,
    captured_at timestamptz,
    expires_at timestamptz,
    foreign key (merchant_id, provider_account_id) references provider_accounts,
    check (captured <= authorized or authorized = 0),
    check (refunded <= captured)
  ) with (fillfactor = 45);
  create index payments_newest on payments (merchant_id, created_at desc, id desc);
  create index payments_order on payments (merchant_id, order_reference, created_at desc, id desc)
    where order_reference is not null;

  -- Which payment a provider's id is of. Insert-only: an index on the payment's own column would end its HOT updates.
  create table provider_references (
    merchant_id uuid not null references merchants,
    provider_reference text collate "C" not null,
    payment_id uuid not null,
    primary key (merchant_id, provider_reference, payment_id)
  );

  create table attempts (
    merchant_id uuid not null references merchants,
    operation_id uuid not null,
    number integer not null check (number > 0),
    payment_id uuid not null,
    provider_account_id uuid not null,
    provider text not null,
    reference text collate "C" not null,
    request bytea,
    -- No call of this attempt has left us after this instant, whatever happened to the process that made it.
    last_send_before timestamptz not null,
    -- How often recovery has sent the request again.
    resends integer not null default 0,
    provider_reference text,
    outcome text check (outcome in ('HAPPENED', 'NOT_HAPPENED', 'UNKNOWN')),
    evidence text,
    detail text,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    foreign key (merchant_id, provider_account_id) references provider_accounts
  ) with (fillfactor = 45);
  create unique index attempts_reference on attempts (merchant_id, reference);`;

const history = `
  create table payment_events (
    merchant_id uuid not null references merchants,
    id uuid not null,
    payment_id uuid not null,
    sequence integer not null,
    type text not null,
    status text not null,
    amount bigint,
    operation_id uuid,
    actor text not null,
    occurred_at timestamptz not null default now()
  );
  create unique index payment_events_sequence on payment_events (merchant_id, payment_id, sequence);

  -- What is still to be told to the world: insert-only here, emptied by the relay.
  create table outbox (
    merchant_id uuid not null references merchants,
    event_id uuid not null,
    primary key (merchant_id, event_id)
  );`;

/**
 * Last, and that matters: on a table without statistics the indexes of a lookup by primary key cost the same, and the
 * planner takes the one that was made last. Through another one a T2 would read all rows of its merchant, and conflict
 * with everybody's writes, until the first ANALYZE.
 */
const primaryKeys = `
  alter table operations add primary key (merchant_id, id);
  alter table unfinished_operations add primary key (merchant_id, operation_id);
  alter table payments add primary key (merchant_id, id);
  alter table attempts add primary key (merchant_id, operation_id, number);
  alter table payment_events add primary key (merchant_id, id);`;

/** The second wall between tenants: a merchant's transactions run as this role and see that merchant's rows only. */
const walls = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'umavez_tenant') then create role umavez_tenant nologin; end if;
  end $$;
  do $$ begin execute format('grant umavez_tenant to %I', current_user); end $$;
  do $$ begin execute format('grant usage on schema %I to umavez_tenant', current_schema()); end $$;
  do $$ declare t text; begin
    foreach t in array array['api_keys', 'provider_accounts', 'operations', 'unfinished_operations', 'operation_counters', 'key_collisions', 'payments',
                             'provider_references', 'attempts', 'payment_events', 'outbox'] loop
      execute format('alter table %I enable row level security', t);
      execute format('create policy tenant on %I to umavez_tenant using (merchant_id = current_setting(''umavez.merchant_id'')::uuid)', t);
      execute format('grant select, insert, update, delete on %I to umavez_tenant', t);
    end loop;
  end $$;
  alter table merchants enable row level security;
  create policy tenant on merchants to umavez_tenant using (id = current_setting('umavez.merchant_id')::uuid);
  grant select on merchants to umavez_tenant;`;
