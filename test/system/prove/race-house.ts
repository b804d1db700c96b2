import { Pool } from "pg";
import { encodeId, decodeId } from "../../../src/shared/ids";
import { until } from "../../support/client";
import { openHouse, type House, type HouseOptions } from "../../support/gateway";
import { startProcess, type Process } from "../../support/processes";
import { Recorder } from "../../support/recorder";
import type { History } from "./checker/history";

/** Where a race or a storm is run: a database and a provider, and processes of the build that is tried. */
export interface RaceHouse {
  house: House;
  /** It looks on: sessions of it may end, and are made anew. */
  database: Pool;
  /** A process of the build; the gateway asks the provider through the house's meddler. */
  start(command: "serve" | "worker", settings?: Record<string, string>): Promise<Process>;
  /** Calls this gateway as a merchant. */
  recorderOf(gateway: Process, merchant?: Merchant): Recorder;
  /** All payments of a merchant, as the recorder's gateway shows them. */
  historyOf(recorder: Recorder, merchant?: Merchant): Promise<History>;
}

/** The demo's merchants. */
export type Merchant = "first" | "second";

/** A bound for what takes well below a second when all is well. */
const WITHIN_MS = 15_000;

/** Replays answer soon, and what is given up is given up soon. */
const SETTINGS = { REPLAY_WAIT_MS: "200", PROVIDER_TIMEOUT_MS: "3000" };

/** Opens a house of a build, runs something in it, and ends every process that it has started. */
export async function inHouse(
  place: Pick<HouseOptions, "subject" | "database">,
  run: (race: RaceHouse) => Promise<History>,
): Promise<History> {
  const house = await openHouse({}, { worker: false, ...place }).catch(async (error: unknown) => {
    await place.database?.drop();
    throw error;
  });
  const database = new Pool({ connectionString: house.databaseUrl, max: 3 });
  database.on("error", () => undefined);
  const started: Process[] = [];
  try {
    return await run({
      house,
      database,
      start: async (command, settings = {}) => {
        const wired = { ...SETTINGS, SANDBOX_URL: house.meddler.url, ...settings };
        const one = await startProcess(command, house, wired);
        started.push(one);
        return one;
      },
      recorderOf: ({ url }, merchant = "first") =>
        new Recorder({
          url,
          apiKey: merchantOf(house, merchant).keys.payments,
          sandboxUrl: house.sandboxUrl,
        }),
      historyOf: async (recorder, merchant = "first") => {
        const { rows } = await database.query<{ id: string }>(
          "select id from payments where merchant_id = $1 order by id",
          [decodeId("mer", merchantOf(house, merchant).merchant)],
        );
        return recorder.history(rows.map(({ id }) => encodeId("pay", id)));
      },
    });
  } finally {
    await Promise.all(started.map((one) => one.kill("SIGKILL")));
    await database.end();
    await house.close();
  }
}

function merchantOf({ credentials }: House, merchant: Merchant) {
  return merchant === "first" ? credentials : credentials.other;
}

/** Lets a minute pass for what waits for it. Only where no call is under way: leases run out, too. */
export async function passTime(database: Pool): Promise<void> {
  await database.query(`update attempts set last_send_before = last_send_before - interval '1 minute'`);
  await database.query(`update unfinished_operations set due_at = now()`);
}

/** Waits until every operation has ended or is parked, and lets nothing of it wait for its time. Needs a worker. */
export async function settle(database: Pool): Promise<void> {
  await until(
    async () => {
      await database.query(`update attempts set last_send_before = least(last_send_before, now() - interval '1 minute')
                            where finished_at is null`);
      const { rowCount } = await database.query(
        `update unfinished_operations set due_at = least(due_at, now()) where lease_token is null returning 1`,
      );
      const { rows } = await database.query("select 1 from unfinished_operations");
      return { left: rows.length, due: rowCount };
    },
    ({ left }) => left === 0,
    WITHIN_MS,
  );
}

/** What is done while something is locked. */
interface Locked<T> {
  /** The statement that locks. */
  lock: string;
  /** How many sessions are to wait for the lock. */
  waiting: number;
  act(): Promise<T>;
  /** What happens once they wait, and before the lock is gone. */
  then?(acted: Promise<T>): Promise<unknown>;
}

/** Acts while something is locked, and unlocks once so many sessions wait for it. */
export async function whileLocked<T>(database: Pool, { lock, waiting, act, then }: Locked<T>): Promise<T> {
  const holder = await database.connect();
  await holder.query("begin");
  let acted: Promise<T>;
  try {
    await holder.query(lock);
    acted = act();
    acted.catch(() => undefined);
    await until(
      () => database.query(`select pid from pg_stat_activity where ${WAITING}`),
      ({ rows }) => rows.length >= waiting,
      WITHIN_MS,
    );
    await then?.(acted);
  } finally {
    await holder.query("commit");
    holder.release();
  }
  return acted;
}

/** Ends the sessions that wait for a lock: those of a gateway that died end with it. */
export async function endWaiting(database: Pool): Promise<void> {
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${WAITING}`);
}

const WAITING = `datname = current_database() and wait_event_type = 'Lock'`;
