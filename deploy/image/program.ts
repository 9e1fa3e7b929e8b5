#!/usr/local/bin/node
/** The one program of the image: the server, and the tools that operators run beside it. */
import { runMain } from '../../scripts/kit/ending.ts';

type Main = (argv: readonly string[]) => number | Promise<number>;

const server: () => Promise<Main> = async () => (await import('../../handlers/main.ts')).main;

/** What the image runs, by its word: what help says, and what loads it. */
const programs: Readonly<Record<string, readonly [string, () => Promise<Main>]>> = {
  server: ['one process of the service; server --help lists its variables', server],
  check: [
    'judges the deployment before and after its start',
    async () => {
      const main = await server();
      return (argv) => main(['check', ...argv]);
    },
  ],
  settings: [
    'tenants, users, keys and the like',
    async () => (await import('../../scripts/operate/settings/main.ts')).main,
  ],
  seed: ['a tenant of invented people', async () => (await import('../../scripts/operate/seed/main.ts')).main],
  healthy: [
    'ends with 0 if the process of this container lives, with --ready if it is ready; else with 1',
    async () => healthy,
  ],
};

const USAGE = `Runs a program of the developer API.

${Object.entries(programs)
  .map(([word, [about]]) => `  ${word.padEnd(9)} ${about}`)
  .join('\n')}

Each has --help. Messages call them "npm run server --", "npm run settings --" and so on, as in a clone.
Exit codes: those of the program; 2: there is no such program.`;

const LONGEST_MS = 5_000;

/** Asks the process that the variables of the container describe. @returns the exit code */
async function healthy([option]: readonly string[]): Promise<number> {
  const { HOST = '127.0.0.1', PORT = '8080' } = process.env;
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST;
  const host = reached.includes(':') ? `[${reached}]` : reached;
  const url = `http://${host}:${PORT}${option === '--ready' ? '/readyz' : '/healthz'}`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(LONGEST_MS) });
    console.log(await answer.text());
    return answer.ok ? 0 : 1;
  } catch (error) {
    console.error(`${url}: ${(error as Error).message}`);
    return 1;
  }
}

/** @returns the exit code */
export async function main([word = '--help', ...argv]: readonly string[]): Promise<number> {
  const program = programs[word];
  if (program !== undefined) return (await program[1]())(argv);
  const isHelp = word === '--help';
  (isHelp ? console.log : console.error)(isHelp ? USAGE : `There is no program ${word}.\n\n${USAGE}`);
  return isHelp ? 0 : 2;
}

if (import.meta.main) await runMain(main);
