import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { INSTEAD } from "./embedded-binaries";
import type { Home } from "./embedded-home";
import { watch } from "./embedded-watch";

/** The server's only user: it owns everything. Connections come from this machine alone, with its password. */
export const USER = "umavez";

/** What is kept beside the data, for the next start. */
export interface Kept {
  /** On 127.0.0.1. */
  port: number;
  /** Random, of the user above. */
  password: string;
}

/**
 * What was kept from the last start, or is chosen now. The port stays while it is free.
 * @param wanted this port and no other
 * @throws Error where the wanted port is taken, and where there is data but its password is lost
 */
export async function keptIn(folder: string, wanted?: number): Promise<Kept> {
  const file = path.join(folder, "server.json");
  const before = readKept(file);
  if (!before && hasData(folder))
    throw new Error(
      `the password of the data in ${folder} is lost: restore ${file}, move the folder away, ${INSTEAD}`,
    );
  const kept = {
    port: await choosePort(wanted, before?.port),
    password: before?.password ?? randomBytes(24).toString("base64url"),
  };
  if (kept.port !== before?.port) writeWhole(file, JSON.stringify(kept));
  return kept;
}

function readKept(file: string): Kept | null {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Kept;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && code !== "ENOENT") throw error;
    return null;
  }
}

/** The password must survive a power cut as the data does. */
function writeWhole(file: string, words: string): void {
  const draft = fs.openSync(`${file}.draft`, "w", 0o600);
  fs.writeFileSync(draft, words);
  fs.fsyncSync(draft);
  fs.closeSync(draft);
  giveToOwner(`${file}.draft`);
  fs.renameSync(`${file}.draft`, file);
}

/** Where root runs the server as the folder's owner, that owner must be able to read what root has written. */
function giveToOwner(file: string): void {
  const { uid, gid } = fs.statSync(path.dirname(file));
  if (process.getuid?.() === 0) fs.chownSync(file, uid, gid);
}

async function choosePort(wanted: number | undefined, before: number | undefined): Promise<number> {
  if (wanted !== undefined && (await listenOn(wanted)) === null)
    throw new Error(`port ${wanted}, wanted for the embedded Postgres, is taken: free it, ${INSTEAD}`);
  const port = wanted ?? (before === undefined ? null : await listenOn(before)) ?? (await listenOn(0));
  if (port === null) throw new Error(`there is no free port for the embedded Postgres: free one, ${INSTEAD}`);
  return port;
}

/** Listens for a moment. 0 is any free port; null is the answer where it is taken. */
function listenOn(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", () => resolve(null));
    probe.listen(port, "127.0.0.1", () => {
      const bound = (probe.address() as net.AddressInfo).port;
      probe.close(() => resolve(bound));
    });
  });
}

function hasData(folder: string): boolean {
  return fs.existsSync(path.join(folder, "data", "PG_VERSION"));
}

/** Makes the data folder, whole or not at all: a half-made one, from a start that was killed, is made again. */
export async function initialise(home: Home, password: string): Promise<void> {
  if (hasData(home.folder)) return;
  removeDrafts(home.folder);
  const id = randomBytes(4).toString("hex");
  // Named anew each time: the initdb of a killed start may still be at work in its own.
  const draft = path.join(home.folder, `${DRAFT}${id}`);
  const passwordFile = path.join(home.folder, `${DRAFT}${id}.password`);
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  giveToOwner(passwordFile);
  const made = watch(home.run("initdb", ["-D", draft, ...FORM, "--pwfile", passwordFile]));
  const reason = await made.exited;
  fs.rmSync(passwordFile, { force: true });
  if (reason !== "code 0")
    throw new Error(
      `the embedded Postgres could not be made (${reason}): see below, ${INSTEAD}\n${made.lastWords()}`,
    );
  fs.renameSync(draft, path.join(home.folder, "data"));
}

const DRAFT = "data.draft-";

/** The builtin locale sorts by code point and needs nothing of the system, so that indexes mean the same everywhere. */
const FORM = [
  ...["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
  ...["--auth=scram-sha-256", `--username=${USER}`, "--data-checksums"],
];

function removeDrafts(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((entry) => entry.startsWith(DRAFT)))
    fs.rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
}
