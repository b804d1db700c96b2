/** Cuts what comes from one side of a connection into whole messages; what is not whole yet waits. */
export interface Frames {
  push(chunk: Buffer): Frame[];
}

/** One message on the wire. */
export interface Frame {
  bytes: Buffer;
  /** What it is, for people. */
  what: string;
}

const TYPED_HEADER = 5;
const UNTYPED_HEADER = 4;

/**
 * Messages of Postgres' protocol 3 (postgresql.org/docs/current/protocol-message-formats.html): a byte that tells the
 * type, and a length that counts itself. What a client says first has no type.
 */
export function postgresFrames(from: "client" | "server"): Frames {
  let rest: Buffer = Buffer.alloc(0);
  let hasBegun = from === "server";
  const next = (): Frame | null => {
    const header = hasBegun ? TYPED_HEADER : UNTYPED_HEADER;
    if (rest.length < header) return null;
    const length = header - UNTYPED_HEADER + rest.readUInt32BE(header - UNTYPED_HEADER);
    if (rest.length < length) return null;
    const bytes = rest.subarray(0, length);
    const what = hasBegun ? shown(bytes) : "startup";
    rest = rest.subarray(length);
    hasBegun = true;
    return { bytes, what };
  };
  return {
    push: (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      return untilNull(next);
    },
  };
}

/** The type, and of a statement its beginning. */
function shown(bytes: Buffer): string {
  const type = String.fromCharCode(bytes[0] ?? 0);
  if (type !== "P" && type !== "Q") return type;
  const text = bytes.toString("utf8", type === "P" ? TYPED_HEADER + 1 : TYPED_HEADER, TYPED_HEADER + 60);
  return `${type} ${text.replaceAll("\0", "").replace(/\s+/g, " ").trim()}`;
}

const HEAD_END = "\r\n\r\n";

/** Requests or replies of HTTP/1.1, whole (RFC 9112, sections 6 and 7). */
export function httpFrames(): Frames {
  let rest: Buffer = Buffer.alloc(0);
  const next = (): Frame | null => {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return null;
    const head = rest.toString("latin1", 0, end);
    const length = lengthOf(rest, head, end + HEAD_END.length);
    if (length === null || rest.length < length) return null;
    const frame = { bytes: rest.subarray(0, length), what: head.slice(0, head.indexOf("\r\n")) };
    rest = rest.subarray(length);
    return frame;
  };
  return {
    push: (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      return untilNull(next);
    },
  };
}

/** How long a message is whose body begins at `body`; null where that is not known yet. */
function lengthOf(bytes: Buffer, head: string, body: number): number | null {
  if (!/^transfer-encoding: *chunked/im.test(head))
    return body + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  for (let at = body; ;) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    at = line + 2 + size + 2;
    if (size === 0) return at;
  }
}

function untilNull<T>(next: () => T | null): T[] {
  const all: T[] = [];
  for (let one = next(); one !== null; one = next()) all.push(one);
  return all;
}
