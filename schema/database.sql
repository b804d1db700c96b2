CREATE TABLE public.api_keys (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'PAYMENTS'::text, 'VIEWER'::text, 'OPERATOR'::text])))
);

CREATE TABLE public.attempts (
    merchant_id uuid NOT NULL,
    operation_id uuid NOT NULL,
    number integer NOT NULL,
    payment_id uuid NOT NULL,
    provider_account_id uuid NOT NULL,
    provider text NOT NULL,
    reference text NOT NULL COLLATE pg_catalog."C",
    request bytea,
    last_send_before timestamp with time zone NOT NULL,
    resends integer DEFAULT 0 NOT NULL,
    provider_reference text,
    outcome text,
    evidence text,
    detail text,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT attempts_number_check CHECK ((number > 0)),
    CONSTRAINT attempts_outcome_check CHECK ((outcome = ANY (ARRAY['HAPPENED'::text, 'NOT_HAPPENED'::text, 'UNKNOWN'::text])))
)
WITH (fillfactor='45');

CREATE TABLE public.disputes (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    provider_reference text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT disputes_amount_check CHECK ((amount > 0)),
    CONSTRAINT disputes_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'WON'::text, 'LOST'::text])))
);

CREATE TABLE public.effects (
    merchant_id uuid NOT NULL,
    event_id uuid NOT NULL,
    consumer text NOT NULL,
    payment_id uuid NOT NULL,
    state text DEFAULT 'PENDING'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    done_at timestamp with time zone,
    CONSTRAINT effects_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'DONE'::text, 'PARKED'::text])))
);

CREATE TABLE public.feed_entries (
    merchant_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL
);

CREATE TABLE public.feeds (
    merchant_id uuid NOT NULL,
    last_position bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.inbox (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    provider_account_id uuid NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    subject jsonb NOT NULL,
    state text NOT NULL,
    payment_id uuid,
    tries integer DEFAULT 0 NOT NULL,
    last_error text,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_token uuid,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    applied_at timestamp with time zone,
    CONSTRAINT inbox_state_check CHECK ((state = ANY (ARRAY['RECEIVED'::text, 'APPLIED'::text, 'IGNORED'::text, 'UNATTRIBUTED'::text])))
);

CREATE TABLE public.key_collisions (
    merchant_id uuid NOT NULL,
    operation_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    changed_fields text[],
    actor text NOT NULL
);

CREATE TABLE public.merchants (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);

CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;

CREATE TABLE public.operation_counters (
    merchant_id uuid NOT NULL,
    operation_id uuid NOT NULL,
    replays bigint DEFAULT 0 NOT NULL,
    collisions bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.operations (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    session_order text DEFAULT ''::text NOT NULL,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL,
    intent bytea,
    payment_id uuid NOT NULL,
    state text NOT NULL,
    result jsonb,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    replayable_until timestamp with time zone NOT NULL,
    amount bigint,
    refund_id uuid,
    reason text,
    CONSTRAINT operations_kind_check CHECK ((kind = ANY (ARRAY['CREATE_PAYMENT'::text, 'CAPTURE_PAYMENT'::text, 'CANCEL_PAYMENT'::text, 'REFUND_PAYMENT'::text, 'RESOLVE_CONFLICT'::text]))),
    CONSTRAINT operations_state_check CHECK ((state = ANY (ARRAY['PROCESSING'::text, 'AWAITING_PROVIDER'::text, 'IN_DOUBT'::text, 'PARKED'::text, 'SUCCEEDED'::text, 'FAILED'::text])))
)
WITH (fillfactor='45');

CREATE TABLE public.order_fences (
    merchant_id uuid NOT NULL,
    order_reference text NOT NULL COLLATE pg_catalog."C",
    payment_id uuid NOT NULL,
    others integer DEFAULT 0 NOT NULL,
    CONSTRAINT order_fences_others_check CHECK ((others >= 0))
);

CREATE TABLE public.outbox (
    merchant_id uuid NOT NULL,
    event_id uuid NOT NULL,
    number bigint NOT NULL
);

ALTER TABLE public.outbox ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.payer_polls (
    merchant_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    operation_id uuid NOT NULL,
    attempt integer NOT NULL,
    lease_token uuid,
    due_at timestamp with time zone NOT NULL,
    polls integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.payment_events (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    sequence integer NOT NULL,
    type text NOT NULL,
    status text NOT NULL,
    amount bigint,
    operation_id uuid,
    actor text NOT NULL,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    refund_id uuid
);

CREATE TABLE public.payments (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    status text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    event_count integer DEFAULT 0 NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    authorized bigint DEFAULT 0 NOT NULL,
    captured bigint DEFAULT 0 NOT NULL,
    refunded bigint DEFAULT 0 NOT NULL,
    capture_mode text NOT NULL,
    method_type text NOT NULL,
    card jsonb,
    next_action jsonb,
    failure jsonb,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    order_reference text,
    customer_reference text,
    description text,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    payer bytea,
    return_url text,
    provider_account_id uuid NOT NULL,
    provider text NOT NULL,
    provider_reference text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    authorized_at timestamp with time zone,
    captured_at timestamp with time zone,
    expires_at timestamp with time zone,
    capturing bigint DEFAULT 0 NOT NULL,
    refunding bigint DEFAULT 0 NOT NULL,
    disputed bigint DEFAULT 0 NOT NULL,
    changing uuid,
    payer_code jsonb,
    provider_amount bigint,
    surplus bigint DEFAULT 0 NOT NULL,
    contradictions integer DEFAULT 0 NOT NULL,
    CONSTRAINT payments_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint))),
    CONSTRAINT payments_authorized_check CHECK ((authorized >= 0)),
    CONSTRAINT payments_capture_mode_check CHECK ((capture_mode = ANY (ARRAY['AUTOMATIC'::text, 'MANUAL'::text]))),
    CONSTRAINT payments_captured_check CHECK ((captured >= 0)),
    CONSTRAINT payments_capturing_check CHECK ((capturing >= 0)),
    CONSTRAINT payments_check CHECK (((captured <= authorized) OR (authorized = 0))),
    CONSTRAINT payments_check1 CHECK ((refunded <= captured)),
    CONSTRAINT payments_contradictions_check CHECK ((contradictions >= 0)),
    CONSTRAINT payments_disputed_check CHECK ((disputed >= 0)),
    CONSTRAINT payments_method_type_check CHECK ((method_type = ANY (ARRAY['CARD'::text, 'PIX'::text, 'BOLETO'::text]))),
    CONSTRAINT payments_refunded_check CHECK ((refunded >= 0)),
    CONSTRAINT payments_refunding_check CHECK ((refunding >= 0)),
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['PROCESSING'::text, 'REQUIRES_ACTION'::text, 'AUTHORIZED'::text, 'PARTIALLY_CAPTURED'::text, 'CAPTURED'::text, 'PARTIALLY_REFUNDED'::text, 'REFUNDED'::text, 'FAILED'::text, 'CANCELED'::text, 'EXPIRED'::text, 'IN_DOUBT'::text, 'CONFLICTED'::text]))),
    CONSTRAINT payments_surplus_check CHECK ((surplus >= 0))
)
WITH (fillfactor='45');

CREATE TABLE public.provider_accounts (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    webhook_secret bytea
);

CREATE TABLE public.provider_references (
    merchant_id uuid NOT NULL,
    provider_reference text NOT NULL COLLATE pg_catalog."C",
    payment_id uuid NOT NULL
);

CREATE TABLE public.refunds (
    merchant_id uuid NOT NULL,
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    operation_id uuid,
    idempotency_key text COLLATE pg_catalog."C",
    status text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    reason text,
    failure jsonb,
    provider_reference text COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    surplus_charge text COLLATE pg_catalog."C",
    CONSTRAINT refunds_amount_check CHECK ((amount > 0)),
    CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['PROCESSING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'IN_DOUBT'::text])))
)
WITH (fillfactor='70');

CREATE TABLE public.unfinished_operations (
    merchant_id uuid NOT NULL,
    operation_id uuid NOT NULL,
    lease_token uuid,
    lease_expires_at timestamp with time zone,
    due_at timestamp with time zone NOT NULL,
    recovery_steps integer DEFAULT 0 NOT NULL,
    pulled_at timestamp with time zone
);

ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (merchant_id, operation_id, number);

ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.effects
    ADD CONSTRAINT effects_pkey PRIMARY KEY (merchant_id, event_id, consumer);

ALTER TABLE ONLY public.feed_entries
    ADD CONSTRAINT feed_entries_pkey PRIMARY KEY (merchant_id, "position");

ALTER TABLE ONLY public.feeds
    ADD CONSTRAINT feeds_pkey PRIMARY KEY (merchant_id);

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.key_collisions
    ADD CONSTRAINT key_collisions_pkey PRIMARY KEY (merchant_id, operation_id, id);

ALTER TABLE ONLY public.merchants
    ADD CONSTRAINT merchants_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operation_counters
    ADD CONSTRAINT operation_counters_pkey PRIMARY KEY (merchant_id, operation_id);

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.order_fences
    ADD CONSTRAINT order_fences_pkey PRIMARY KEY (merchant_id, order_reference);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (merchant_id, event_id);

ALTER TABLE ONLY public.payer_polls
    ADD CONSTRAINT payer_polls_pkey PRIMARY KEY (merchant_id, payment_id);

ALTER TABLE ONLY public.payment_events
    ADD CONSTRAINT payment_events_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.provider_accounts
    ADD CONSTRAINT provider_accounts_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.provider_references
    ADD CONSTRAINT provider_references_pkey PRIMARY KEY (merchant_id, provider_reference, payment_id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (merchant_id, id);

ALTER TABLE ONLY public.unfinished_operations
    ADD CONSTRAINT unfinished_operations_pkey PRIMARY KEY (merchant_id, operation_id);

CREATE UNIQUE INDEX api_keys_secret ON public.api_keys USING btree (secret_hash);

CREATE UNIQUE INDEX attempts_reference ON public.attempts USING btree (merchant_id, reference);

CREATE INDEX attempts_returned ON public.attempts USING btree (reference);

CREATE INDEX disputes_payment ON public.disputes USING btree (merchant_id, payment_id, created_at, id);

CREATE UNIQUE INDEX disputes_provider ON public.disputes USING btree (merchant_id, provider_reference);

CREATE INDEX effects_due ON public.effects USING btree (due_at) WHERE (state = 'PENDING'::text);

CREATE INDEX effects_newest ON public.effects USING btree (merchant_id, created_at DESC, event_id DESC, consumer DESC);

CREATE INDEX effects_open ON public.effects USING btree (merchant_id, created_at DESC, event_id DESC, consumer DESC) WHERE (state <> 'DONE'::text);

CREATE INDEX effects_payment ON public.effects USING btree (merchant_id, payment_id);

CREATE UNIQUE INDEX feed_entries_event ON public.feed_entries USING btree (merchant_id, event_id);

CREATE INDEX inbox_due ON public.inbox USING btree (due_at) WHERE (state = 'RECEIVED'::text);

CREATE UNIQUE INDEX inbox_event ON public.inbox USING btree (merchant_id, provider_account_id, event_id);

CREATE INDEX operation_counters_collided ON public.operation_counters USING btree (merchant_id, operation_id) WHERE (collisions > 0);

CREATE INDEX operations_erasable ON public.operations USING btree (replayable_until) WHERE (intent IS NOT NULL);

CREATE UNIQUE INDEX operations_key ON public.operations USING btree (merchant_id, kind, session_order, idempotency_key);

CREATE INDEX operations_newest ON public.operations USING btree (merchant_id, created_at DESC, id DESC);

CREATE INDEX operations_payment ON public.operations USING btree (merchant_id, payment_id);

CREATE INDEX operations_session_key ON public.operations USING btree (merchant_id, idempotency_key) WHERE (session_order <> ''::text);

CREATE INDEX payer_polls_due ON public.payer_polls USING btree (due_at);

CREATE INDEX payment_events_parked ON public.payment_events USING btree (merchant_id, operation_id) WHERE (type = 'operation.parked'::text);

CREATE UNIQUE INDEX payment_events_sequence ON public.payment_events USING btree (merchant_id, payment_id, sequence);

CREATE INDEX payments_customer ON public.payments USING btree (merchant_id, customer_reference, created_at DESC, id DESC) WHERE (customer_reference IS NOT NULL);

CREATE INDEX payments_newest ON public.payments USING btree (merchant_id, created_at DESC, id DESC);

CREATE INDEX payments_order ON public.payments USING btree (merchant_id, order_reference, created_at DESC, id DESC) WHERE (order_reference IS NOT NULL);

CREATE UNIQUE INDEX provider_accounts_address ON public.provider_accounts USING btree (id);

CREATE INDEX refunds_payment ON public.refunds USING btree (merchant_id, payment_id, created_at, id);

CREATE UNIQUE INDEX refunds_provider ON public.refunds USING btree (merchant_id, provider_reference) WHERE (provider_reference IS NOT NULL);

CREATE INDEX unfinished_operations_due ON public.unfinished_operations USING btree (due_at);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_merchant_id_provider_account_id_fkey FOREIGN KEY (merchant_id, provider_account_id) REFERENCES public.provider_accounts(merchant_id, id);

ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.effects
    ADD CONSTRAINT effects_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.feed_entries
    ADD CONSTRAINT feed_entries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.feeds
    ADD CONSTRAINT feeds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_merchant_id_provider_account_id_fkey FOREIGN KEY (merchant_id, provider_account_id) REFERENCES public.provider_accounts(merchant_id, id);

ALTER TABLE ONLY public.key_collisions
    ADD CONSTRAINT key_collisions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.operation_counters
    ADD CONSTRAINT operation_counters_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.order_fences
    ADD CONSTRAINT order_fences_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payer_polls
    ADD CONSTRAINT payer_polls_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payment_events
    ADD CONSTRAINT payment_events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_merchant_id_provider_account_id_fkey FOREIGN KEY (merchant_id, provider_account_id) REFERENCES public.provider_accounts(merchant_id, id);

ALTER TABLE ONLY public.provider_accounts
    ADD CONSTRAINT provider_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.provider_references
    ADD CONSTRAINT provider_references_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.unfinished_operations
    ADD CONSTRAINT unfinished_operations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.attempts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.disputes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.effects ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_entries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feeds ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.inbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.key_collisions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.merchants ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.operation_counters ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.operations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.order_fences ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.payer_polls ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.payment_events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.payments ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.provider_accounts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.provider_references ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.refunds ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON public.api_keys TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.attempts TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.disputes TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.effects TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.feed_entries TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.feeds TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.inbox TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.key_collisions TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.merchants TO umavez_tenant USING ((id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.operation_counters TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.operations TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.order_fences TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.outbox TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.payer_polls TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.payment_events TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.payments TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.provider_accounts TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.provider_references TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.refunds TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

CREATE POLICY tenant ON public.unfinished_operations TO umavez_tenant USING ((merchant_id = (current_setting('umavez.merchant_id'::text))::uuid));

ALTER TABLE public.unfinished_operations ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA public TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_keys TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.attempts TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.disputes TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.effects TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feed_entries TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feeds TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.inbox TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.key_collisions TO umavez_tenant;

GRANT SELECT ON TABLE public.merchants TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.operation_counters TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.operations TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.order_fences TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outbox TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payer_polls TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payment_events TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payments TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.provider_accounts TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.provider_references TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.refunds TO umavez_tenant;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.unfinished_operations TO umavez_tenant;
