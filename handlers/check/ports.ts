/** Checks whether each port of this process is free, or held by a process of ours. */
import { createServer } from 'node:net';
import type { Config } from '../runtime/config.ts';
import { LATE } from '../runtime/outage-reasons.ts';
import type { DeploymentCheck } from './check.ts';
import { fine, skipped, wrong } from './finding.ts';
import { ask, isLate } from './http.ts';

/** What a process of ours answers on each of its ports. */
interface CheckedPort {
  readonly variable: 'PORT' | 'STORAGE_PORT' | 'METRICS_PORT';
  host(config: Config): string;
  readonly path: string;
  isOurs(text: string): boolean;
}

const PORTS: readonly CheckedPort[] = [
  { variable: 'PORT', host: ({ HOST }) => HOST, path: '/healthz', isOurs: (text) => text.startsWith('{"status":"ok"') },
  { variable: 'STORAGE_PORT', host: ({ HOST }) => HOST, path: '/', isOurs: (text) => text.includes('<Error><Code>') },
  {
    variable: 'METRICS_PORT',
    host: (config) => config.METRICS_HOST,
    path: '/metrics',
    isOurs: (text) => text.includes('developer_api_build_info'),
  },
];

const WORDS: Readonly<Record<string, string>> = {
  free: 'is free',
  ours: 'is held by a process of ours',
  EADDRINUSE: 'is held by another program',
  [LATE]: `is held by another program, or by a process of ours that ${LATE}`,
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is at an address that this machine does not have',
};

/** Listens for a moment. @returns `free`, or the code of the failure */
function listening(host: string, port: number): Promise<string> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve('free')));
  });
}

export const portChecks: readonly DeploymentCheck[] = [
  {
    name: 'ports',
    about: 'each port is free, or held by a process of ours',
    async run({ config, signal }) {
      const used = PORTS.filter(({ variable }) => config[variable] !== undefined && config[variable] !== 0).filter(
        ({ variable }) => variable !== 'STORAGE_PORT' || config.STORAGE_DIR !== undefined,
      );
      if (used.length === 0) return skipped('every port is one that the system picks');
      const states = await Promise.all(
        used.map(async ({ variable, host, path, isOurs }) => {
          const [at, port] = [host(config), config[variable] as number];
          const state = await listening(at, port);
          if (state !== 'EADDRINUSE') return { variable, port, state };
          const reached = ['0.0.0.0', '::'].includes(at) ? '127.0.0.1' : at;
          const url = new URL(path, `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`);
          const answer = await ask(url, { signal, withinMs: 2_000 });
          if (isLate(answer)) return { variable, port, state: LATE };
          return { variable, port, state: 'text' in answer && isOurs(answer.text) ? 'ours' : state };
        }),
      );
      const bad = states.filter(({ state }) => !['free', 'ours'].includes(state));
      const said = (bad.length > 0 ? bad : states)
        .map(({ variable, port, state }) => `${variable} ${port} ${WORDS[state] ?? `cannot be used (${state})`}`)
        .join('; ');
      return bad.length > 0 ? wrong(said, 'Choose another port or address, or end what holds it.') : fine(said);
    },
  },
];
