import { createServer } from 'node:net';

/** Whether a server can listen there; always true for port 0. */
export async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, host, resolve));
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
