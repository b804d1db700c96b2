import net from "node:net";

/** Waits for a server to listen, and says which setting to change where its port is taken. */
export async function listening<T>(started: Promise<T>, port: number, setting: string): Promise<T> {
  try {
    return await started;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(`port ${port} is taken: set ${setting} to a free one`);
  }
}

/** Says so before anything else is started, where a port is taken already. */
export async function assertFree(port: number, host: string, setting: string): Promise<void> {
  const probe = net.createServer();
  const bound = new Promise<void>((resolve, reject) => {
    probe.once("error", reject).listen(port, host, resolve);
  });
  await listening(bound, port, setting);
  await new Promise((resolve) => probe.close(resolve));
}
