/** Opens the route by which deliveries reach the suite, as the profile says. */
import { readFileSync } from 'node:fs';
import { messageOf } from '../../scripts/kit/command-line.ts';
import { RunningProgram } from '../../scripts/kit/program.ts';
import { BadProfile, type Callbacks } from '../profile/profile.ts';
import { Receiver } from './receiver.ts';

/** How long a tunnel may take to print its URL. */
const TUNNEL_PATIENCE_MS = 60_000;
/** How long it may take to end. */
const TUNNEL_END_MS = 5_000;
const TUNNEL_URL = /https:\/\/[^\s"'|<>]+/;

/** What rules know about the receiver. */
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
  receiver: Receiver | undefined;
  close: () => Promise<void>;
}

const nothing = (problem: string): OpenCallbacks => ({
  facts: { url: '', problem, speaks_tls: false },
  receiver: undefined,
  close: async () => {},
});

/** The host and port of `address:port`. */
export function addressOf(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(':');
  return { host: listen.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(listen.slice(at + 1)) };
}

/** Starts a tunnel and waits for its URL. @throws Error if it ends, or prints no URL in time */
async function openTunnel(command: readonly string[], port: number): Promise<{ url: string; tunnel: RunningProgram }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const tunnel = new RunningProgram(
    command.map((part) => part.replaceAll('{port}', String(port))),
    {
      keptOutput: 20_000,
      endMs: TUNNEL_END_MS,
      onOutput: () => {
        const found = TUNNEL_URL.exec(`${tunnel.stdout}\n${tunnel.stderr}`)?.[0];
        if (found !== undefined) resolve(found.replace(/\/$/, ''));
      },
    },
  );
  void tunnel.ended.then((code) => reject(new Error(`the tunnel ended with ${code}: ${lastSaid(tunnel)}`)));
  const late = () => reject(new Error('the tunnel printed no https URL within a minute'));
  const timer = setTimeout(late, TUNNEL_PATIENCE_MS);
  try {
    return { url: await promise, tunnel };
  } catch (error) {
    await tunnel.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const lastSaid = ({ stdout, stderr }: RunningProgram): string => `${stdout}${stderr}`.trim().slice(-200);

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
    throw new BadProfile([
      `callbacks: deliveries cannot be received at ${listen} (${messageOf(error)}). If another run or program uses the port, end it or name another port in callbacks.listen.`,
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
    const opened = mode === 'command' ? await openTunnel(callbacks.command ?? [], taken) : undefined;
    const own = `https://${host.includes(':') ? `[${host}]` : host}:${taken}`;
    return {
      facts: {
        url: (opened?.url ?? callbacks.url ?? own).replace(/\/$/, ''),
        problem: '',
        speaks_tls: receiver.speaksTls && mode !== 'command',
      },
      receiver,
      close: async () => {
        await opened?.tunnel.stop();
        await receiver.close();
      },
    };
  } catch (error) {
    await receiver.close();
    return nothing(`deliveries cannot be received: ${messageOf(error)}`);
  }
}
