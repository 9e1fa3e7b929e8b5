/** Opens the route by which deliveries reach the suite, as the profile says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { BadProfile, type Callbacks } from '../profile/profile.ts';
import { CallbackState } from './callback-state.ts';
import { Receiver } from './receiver.ts';

/** How long a tunnel may take to print its URL. */
const TUNNEL_PATIENCE_MS = 60_000;
const TUNNEL_URL = /https:\/\/[^\s"'|<>]+/;

/** What workers know about the receiver. */
export interface CallbackFacts {
  /** The base URL to which paths are appended; '' if deliveries cannot be received. */
  url: string;
  /** Why deliveries cannot be received; '' if they can. */
  problem: string;
  /** The suite itself serves TLS, so it can also serve faulty TLS. */
  speaks_tls: boolean;
}

export interface OpenCallbacks {
  facts: CallbackFacts;
  state: CallbackState | undefined;
  receiver: Receiver | undefined;
  close: () => Promise<void>;
}

const nothing = (problem: string): OpenCallbacks => ({
  facts: { url: '', problem, speaks_tls: false },
  state: undefined,
  receiver: undefined,
  close: async () => {},
});

function addressOf(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(':');
  return { host: listen.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(listen.slice(at + 1)) };
}

/** Starts a tunnel and waits for its URL. @throws Error if it ends, or prints no URL in time */
async function openTunnel(command: readonly string[], port: number): Promise<{ url: string; child: ChildProcess }> {
  const [file = '', ...args] = command.map((part) => part.replaceAll('{port}', String(port)));
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the tunnel printed no https URL within a minute')),
      TUNNEL_PATIENCE_MS,
    );
    const listen = (part: Buffer) => {
      said = (said + part.toString('utf8')).slice(-20_000);
      const found = TUNNEL_URL.exec(said)?.[0];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found.replace(/\/$/, ''));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the tunnel ended with ${code}: ${said.trim().slice(-200)}`)));
  }).catch((error: unknown) => {
    child.kill();
    throw error;
  });
  return { url, child };
}

/** Listens as the profile says. @throws BadProfile if it cannot, for example because another run has the port */
async function listening(
  { certificate, key }: Callbacks,
  listen: string,
): Promise<{ receiver: Receiver; host: string; port: number }> {
  const { host, port } = addressOf(listen);
  let receiver: Receiver | undefined;
  try {
    const identity = certificate !== undefined && key !== undefined;
    receiver = new Receiver(
      identity ? { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') } : undefined,
    );
    return { receiver, host, port: await receiver.listen(host, port) };
  } catch (error) {
    await receiver?.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new BadProfile([
      `callbacks: deliveries cannot be received at ${listen} (${why}). If another run or program uses the port, end it or name another port in callbacks.listen.`,
    ]);
  }
}

/**
 * Opens the route. A tunnel that does not open becomes the reason why the rules that need deliveries are not tested.
 * @throws BadProfile if the address of the profile cannot be listened at
 */
export async function openCallbacks(callbacks: Callbacks): Promise<OpenCallbacks> {
  const { mode, listen = '127.0.0.1:0' } = callbacks;
  if (mode === 'none') return nothing('the profile has no way to receive deliveries');
  const { receiver, host, port: taken } = await listening(callbacks, listen);
  try {
    const tunnel = mode === 'command' ? await openTunnel(callbacks.command ?? [], taken) : undefined;
    const own = `https://${host.includes(':') ? `[${host}]` : host}:${taken}`;
    return {
      facts: {
        url: (tunnel?.url ?? callbacks.url ?? own).replace(/\/$/, ''),
        problem: '',
        speaks_tls: receiver.speaksTls && mode !== 'command',
      },
      state: new CallbackState(receiver),
      receiver,
      close: async () => {
        tunnel?.child.kill();
        await receiver.close();
      },
    };
  } catch (error) {
    await receiver.close();
    return nothing(`deliveries cannot be received: ${error instanceof Error ? error.message : String(error)}`);
  }
}
