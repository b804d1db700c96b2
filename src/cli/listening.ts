/** Waits for a server to listen, and says which setting to change where its port is taken. */
export async function listening<T>(started: Promise<T>, port: number, setting: string): Promise<T> {
  try {
    return await started;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(`port ${port} is taken: set ${setting} to a free one`);
  }
}
