import path from "node:path";
import { z } from "zod";

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A number and a unit, as in `30d`; milliseconds inside. */
const duration = z.string().transform((text, context) => {
  const found = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (found) return Number(found[1]) * UNITS[found[2] as keyof typeof UNITS];
  context.addIssue({ code: "custom", message: "write a number and a unit: ms, s, m, h or d, as in 30d" });
  return z.NEVER;
});

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "write a whole number")
    .transform(Number)
    .refine((n) => n >= least && n <= most, `write a whole number from ${least} to ${most}`);

const toggle = z.enum(["on", "off"], "write on or off").transform((word) => word === "on");

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `write an address that begins ${protocols.join("// or ")}//`,
  });

/**
 * Every setting, with its default: the one place that knows them. README has the same table for people.
 */
const settings = z.object({
  NODE_ENV: z.string().default("development"),
  PORT: whole(0, 65_535).default(4000),
  // Without a path: what follows is ours.
  PUBLIC_URL: url("http:", "https:").optional(),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("./.umavez"),
  DATABASE_URL: url("postgres:", "postgresql:").optional(),
  DATABASE_POOL: whole(1, 1000).default(10),
  SANDBOX_PORT: whole(0, 65_535).optional(),
  SANDBOX_URL: url("http:", "https:").optional(),
  ENCRYPTION_KEY: z.string().optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  REPLAY_WINDOW: duration.default(30 * UNITS.d),
  REPLAY_WAIT_MS: whole(0, 60_000).default(5_000),
  ANSWER_WITHIN_MS: whole(1, 120_000).default(8_000),
  PROVIDER_TIMEOUT_MS: whole(100, 120_000).default(20_000),
  // An abandoned cart is never charged by a worker that comes back hours later.
  SEND_WITHIN: duration.default(10 * UNITS.m),
  LEASE: duration.default(45 * UNITS.s),
  ALLOW_EMBEDDED_POSTGRES: toggle.default(false),
  INTROSPECTION: toggle.optional(),
  PERSISTED_ONLY: toggle.default(false),
  PLAYGROUND: toggle.optional(),
});

/** All settings, read once and frozen. Durations are milliseconds. */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  /** Where payers and providers reach us; absent: where we listen. */
  publicUrl: string | undefined;
  /** Absolute. */
  dataDir: string;
  /** Absent: the embedded server. */
  databaseUrl: string | undefined;
  databasePool: number;
  sandboxPort: number;
  /** Absent: the sandbox that `start` runs itself. */
  sandboxUrl: string | undefined;
  encryptionKey: string | undefined;
  logLevel: string;
  /** How long a replay finds the stored result. The key itself never frees. */
  replayWindow: number;
  /** How long a repeat waits for the call in flight. */
  replayWait: number;
  /** Within this a mutation is answered, with PROCESSING if need be. */
  answerWithin: number;
  /** Our deadline for one call to a provider. */
  providerTimeout: number;
  /** A create is (re)sent to the provider only within this time of its T1. */
  sendWithin: number;
  /** How long one process owns an operation. */
  lease: number;
  allowEmbeddedPostgres: boolean;
  introspection: boolean;
  /** Client sessions may send nothing but the documents of schema/persisted-documents.json. */
  persistedOnly: boolean;
  playground: boolean;
}

/** The settings do not hold; the message lists every problem, a line each. */
export class ConfigError extends Error {}

/**
 * Reads the settings from the environment. Nothing else does.
 * @throws ConfigError with all problems at once
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = settings.safeParse(given);
  const problems = parsed.success
    ? contradictions(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join("\n"));
  return toConfig(parsed.data);
}

type Settings = z.infer<typeof settings>;

/** A call must be able to end within its lease, or recovery would ask while the first call still runs. */
const LEASE_MARGIN_MS = 1_000;

function contradictions(given: Settings): string[] {
  const problems: string[] = [];
  if (given.LEASE < given.PROVIDER_TIMEOUT_MS + LEASE_MARGIN_MS)
    problems.push(`LEASE: must be at least PROVIDER_TIMEOUT_MS + ${LEASE_MARGIN_MS} ms`);
  if (given.NODE_ENV === "production") {
    if (!given.ENCRYPTION_KEY) problems.push("ENCRYPTION_KEY: required in production (32 bytes, base64)");
    if (!given.DATABASE_URL && !given.ALLOW_EMBEDDED_POSTGRES)
      problems.push("DATABASE_URL: required in production, unless ALLOW_EMBEDDED_POSTGRES is on");
  }
  if (given.ENCRYPTION_KEY !== undefined && Buffer.from(given.ENCRYPTION_KEY, "base64").length !== 32)
    problems.push(
      "ENCRYPTION_KEY: write 32 random bytes in base64, as `openssl rand -base64 32` prints them",
    );
  return problems;
}

function toConfig(given: Settings): Config {
  const production = given.NODE_ENV === "production";
  return Object.freeze({
    production,
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL && new URL(given.PUBLIC_URL).origin,
    dataDir: path.resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    databasePool: given.DATABASE_POOL,
    sandboxPort: given.SANDBOX_PORT ?? (given.PORT === 0 ? 0 : given.PORT + 1),
    sandboxUrl: given.SANDBOX_URL,
    encryptionKey: given.ENCRYPTION_KEY,
    logLevel: given.LOG_LEVEL,
    replayWindow: given.REPLAY_WINDOW,
    replayWait: given.REPLAY_WAIT_MS,
    answerWithin: given.ANSWER_WITHIN_MS,
    providerTimeout: given.PROVIDER_TIMEOUT_MS,
    sendWithin: given.SEND_WITHIN,
    lease: given.LEASE,
    allowEmbeddedPostgres: given.ALLOW_EMBEDDED_POSTGRES,
    introspection: given.INTROSPECTION ?? !production,
    persistedOnly: given.PERSISTED_ONLY,
    playground: given.PLAYGROUND ?? !production,
  });
}
