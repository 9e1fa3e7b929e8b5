/** `npm run lab -- topology`: the whole deployment on this machine without containers, and what runs on it. */
import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { exitingWith, refuse, seconds, wholeNumber } from '../../scripts/kit/command-line.ts';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { run } from '../../scripts/kit/run-program.ts';
import { profileFile, programLine, ROOT } from '../../scripts/operate/suite/profile.ts';
import { unmeant } from './check.ts';
import { day } from './day.ts';
import { type TerminatorKind, terminatorKinds } from './terminator.ts';
import { openTopology, type Topology } from './topology.ts';

interface Flags {
  readonly terminator: TerminatorKind;
  readonly data?: string;
  readonly employees: number;
  readonly duration: number;
  readonly rate: number;
}

/** Room for the rules about totals that may be estimates. */
const EMPLOYEES = 10_500;
const HALF_AN_HOUR_S = 1_800;
const USUAL_RATE = 16;

/** The variables by which the suite and k6 trust the authority of the topology. */
const trusting = ({ authority }: Topology) => ({ NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority });

/** What is running where, for people and programs. */
function shown(topology: Topology): string {
  const { words, places, database, s3, prometheus, authority, suite, folder } = topology;
  const profile = profileFile(suite);
  const trust = Object.entries(trusting(topology))
    .map((pair) => pair.join('='))
    .join(' ');
  return stringify(
    {
      url: `https://${words.API_LISTEN}`,
      storage: `https://${words.STORAGE_LISTEN}`,
      api: [words.API_1, words.API_2],
      metrics: Object.fromEntries(places.map(({ name, metrics }) => [name, `http://${metrics}/metrics`])),
      mongod: database.members.map(({ port }) => port),
      s3,
      prometheus: prometheus?.url ?? 'is not on the PATH',
      authority,
      profile,
      folder,
      'check it': `${trust} npm run conformance -- --profile ${profile}`,
      'load it': `${trust} npm run load -- day --profile ${profile}`,
    },
    { lineWidth: 0 },
  );
}

type Work = (topology: Topology, flags: Flags, words: readonly string[]) => Promise<number>;

/** What runs on it, by its name. @returns the exit code of the program */
const works = {
  async stay(topology) {
    process.stdout.write(`${shown(topology)}Ctrl-C ends it.\n`);
    return new Promise(() => {});
  },
  async conformance(topology, _, words) {
    const argv = programLine('conformance/main.ts', '--profile', profileFile(topology.suite), ...words);
    const hear = (text: string) => void process.stdout.write(text);
    const code = await run(argv, { cwd: ROOT, env: trusting(topology), hear });
    return typeof code === 'number' ? code : 1;
  },
  async day(topology, { duration: durationS, rate }) {
    const lines = await day(topology, { durationS, rate }, trusting(topology));
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
} satisfies Readonly<Record<string, Work>>;

/** Starts a topology, which ends with this process, and does the work on it. @returns the exit code of the work */
async function onTopology(name: keyof typeof works, words: readonly string[], flags: Flags): Promise<number> {
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const folder = resolve(flags.data ?? temporaryFolder('topology-'));
  const topology = await openTopology({ ...flags, folder, say });
  const work = () => works[name](topology, flags, words);
  const ended = name === 'stay' ? work() : checkedAround(topology, work);
  return Promise.race([ended, topology.parts.died.then(refuse)]);
}

/** Makes the check before and after the work. @returns the exit code of the work, or 1 if the check finds something */
async function checkedAround(topology: Topology, work: () => Promise<number>): Promise<number> {
  const before = await unmeant(topology);
  const code = await work();
  const after = await unmeant(topology);
  const shown = (lines: readonly string[]) => lines.join('\n') || 'nothing';
  process.stdout.write(`The check finds before it: ${shown(before)}\nafter it: ${shown(after)}\n`);
  return before.length + after.length > 0 ? Math.max(code, 1) : code;
}

/** Adds the command. */
export function withTopology(lab: Command): void {
  lab
    .command('topology')
    .description(
      'Runs the whole deployment on this machine, without containers, with the files of deploy/; on it, the suite through the terminator, or a day of load while one member of each kind is killed.',
    )
    .addArgument(new Argument('[work]', 'what is done on it').choices(Object.keys(works)).default('stay'))
    .argument('[words...]', 'for the suite, after --')
    .addOption(new Option('--terminator <kind>', 'what ends TLS').choices(terminatorKinds).default('nginx'))
    .option('--data <folder>', 'where everything is kept (default: a temporary folder, which is removed)')
    .option('--employees <N>', 'of the main tenant', wholeNumber(200, 1_000_000), EMPLOYEES)
    .option('--duration <time>', 'of the day', seconds, HALF_AN_HOUR_S)
    .option('--rate <number>', 'requests a second of the day', wholeNumber(1, 1_000), USUAL_RATE)
    .action(exitingWith(onTopology));
}
