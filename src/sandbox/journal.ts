import fs from "node:fs";
import fsp from "node:fs/promises";
import path from "node:path";

/**
 * An append-only file of JSON lines. What `append` has resolved for is on disk, after a kill -9 too; appends that arrive
 * together share one write and one fsync.
 */
export class Journal {
  private pending: { line: string; done: (error?: Error) => void }[] = [];
  /** The flush under way. It ends in the same step in which it finds nothing pending: what comes after begins a new one. */
  private flushing: Promise<void> | null = null;

  private constructor(private file: fsp.FileHandle) {}

  /** Opens the journal in a folder and reads back what it holds. A torn last line was never acknowledged: it is cut off. */
  static async open(folder: string): Promise<{ journal: Journal; records: unknown[] }> {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = await fsp.open(path.join(folder, "ledger.jsonl"), "a+", 0o600);
    const content = await file.readFile("utf8");
    const whole = content.slice(0, content.lastIndexOf("\n") + 1);
    if (whole.length < content.length) await file.truncate(Buffer.byteLength(whole));
    const records = whole
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown);
    return { journal: new Journal(file), records };
  }

  /** Resolves once the record is on disk. */
  append(record: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending.push({
        line: `${JSON.stringify(record)}\n`,
        done: (error) => (error ? reject(error) : resolve()),
      });
      this.flushing ??= this.flush();
    });
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    await this.flushing;
    await this.file.truncate(0);
  }

  async close(): Promise<void> {
    await this.flushing;
    await this.file.close();
  }

  private async flush(): Promise<void> {
    while (this.pending.length > 0) {
      const batch = this.pending;
      this.pending = [];
      try {
        await this.file.appendFile(batch.map((one) => one.line).join(""));
        await this.file.datasync();
        for (const one of batch) one.done();
      } catch (error) {
        for (const one of batch) one.done(error as Error);
      }
    }
    this.flushing = null;
  }
}
