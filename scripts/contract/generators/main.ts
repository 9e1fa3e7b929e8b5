/**
 * Checks that other people's tools can read the contract: each makes its result from the contract, the result is
 * compiled, and clients are run against a service. Tools are fetched by the usual clients of their registries and kept
 * outside the repository. Nothing is written inside it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commaList, commandLine, exitingWith, misuse, runProgram } from '../../../conformance/command-line.ts';
import { untilStopped } from '../../../conformance/processes/ending.ts';
import { endPrograms, nodeScript } from '../../../conformance/processes/program.ts';
import { background } from '../../testbed/run-program.ts';
import { type Bench, type Generator, type Report, StageFailed, ToolMissing } from './generator.ts';
import { inGo } from './in-go.ts';
import { inJava } from './in-java.ts';
import { inNode } from './in-node.ts';
import { inPython } from './in-python.ts';
import { Target } from './target.ts';

const root = resolve(import.meta.dirname, '../../..');
const EXIT = { right: 0, wrong: 1 } as const;
/** Enough for several pages, and few enough to be seeded in seconds. */
const EMPLOYEES = '2500';
const KEY = 'CONF_KEY_FULL_1';

const generators: readonly Generator[] = [...inNode, ...inPython, ...inGo, ...inJava];

interface Flags {
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly url?: string;
  readonly json?: boolean;
}

/** A tool with its result. */
type Row = { readonly name: string } & (Report | { readonly missing: string } | { readonly failure: string });

const NAMES = generators.map(({ name }) => name).join(', ');
const ABOUT =
  'Runs client generators, and other tools that read the contract, with the contract, and checks the results.';
const program = commandLine('npm run generators --', ABOUT)
  .option('--only <names>', `some of the tools, separated by commas: ${NAMES}`, commaList)
  .option('--quick', 'only those that need only Node, npm and no service')
  .option('--url <url>', 'a running service, whose key is in the variable KEY; otherwise one is started')
  .option('--json', 'one line of JSON instead of the table')
  .addHelpText(
    'after',
    `
Each client reads all employees, sends two batches that change nothing (create_missing is false) and reads a refusal. The
service is reached through a proxy that adds fields and a status of a later release to the list. Two batches a client are written
to the service that --url names.

Exit codes: 0 all tools that could be run succeeded, 1 one failed, 2 the arguments cannot be used.`,
  )
  .action(exitingWith(run));

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  return runProgram(program, argv);
}

async function run(flags: Flags): Promise<number> {
  const names = flags.only;
  const unknown = names?.filter((name) => generators.every((one) => one.name !== name)) ?? [];
  if (unknown.length > 0) misuse(`There is no ${unknown.join(', ')}; --help lists all tools.`);
  if (flags.url !== undefined && !process.env.KEY) misuse('KEY is not set: a key of that service.');
  const chosen = generators.filter(({ name, isQuick }) => (names?.includes(name) ?? true) && (isQuick || !flags.quick));
  untilStopped().addEventListener('abort', () => void endPrograms());
  const scratch = mkdtempSync(join(tmpdir(), 'generators-'));
  try {
    const rows = await withTarget(chosen, flags.url, scratch, (target) => runAll(chosen, target, scratch));
    console.log(flags.json ? JSON.stringify(rows) : tableOf(rows));
    return rows.some((row) => 'failure' in row) ? EXIT.wrong : EXIT.right;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Starts the proxy in front of a service, if one of the tools needs a service. */
async function withTarget(
  chosen: readonly Generator[],
  url: string | undefined,
  scratch: string,
  work: (target: Target | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  if (!chosen.some(({ needsService }) => needsService)) return work(undefined);
  if (url !== undefined) return withProxy(url, process.env.KEY ?? '', work);
  say('Starting a service …');
  const options = [
    '--port',
    '0',
    '--json',
    '--processes',
    '1',
    '--employees',
    EMPLOYEES,
    '--data',
    join(scratch, 'data'),
  ];
  const place = { cwd: root, env: { LOG_LEVEL: 'warn' } };
  const service = await background(nodeScript('scripts/operate/start/main.ts', ...options), place);
  const { base_url, keys } = service.ready as { base_url: string; keys: Record<string, string> };
  try {
    return await withProxy(base_url, keys[KEY] ?? '', work);
  } finally {
    await service.stop();
  }
}

async function withProxy(url: string, key: string, work: (target: Target) => Promise<Row[]>): Promise<Row[]> {
  const target = await Target.open(url, key);
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

async function runAll(chosen: readonly Generator[], target: Target | undefined, scratch: string): Promise<Row[]> {
  const files = { yaml: join(root, 'openapi.yaml'), json: join(root, 'generated/openapi.json') };
  if (target !== undefined) {
    // Clients are made from what the service serves.
    for (const kind of ['yaml', 'json'] as const) {
      files[kind] = join(scratch, `openapi.${kind}`);
      writeFileSync(files[kind], await target.contract(kind));
    }
  }
  const rows: Row[] = [];
  for (const [index, generator] of chosen.entries()) {
    const folder = join(scratch, String(index));
    mkdirSync(folder);
    say(`${generator.name} …`);
    rows.push(await rowOf(generator, { ...files, folder, say, ...accessTo(target) }));
  }
  return rows;
}

function accessTo(target: Target | undefined): Pick<Bench, 'url' | 'judge'> {
  return { url: target?.url ?? '', judge: (...words) => (target as Target).judge(...words) };
}

/** Runs a tool. @throws Error for what is neither a failure of the tool nor its absence */
async function rowOf(generator: Generator, bench: Bench): Promise<Row> {
  const { name } = generator;
  try {
    return { name, ...(await generator.run(bench)) };
  } catch (error) {
    if (error instanceof ToolMissing) return { name, missing: error.message };
    if (error instanceof StageFailed) return { name, failure: error.message };
    throw error;
  }
}

function say(text: string): void {
  console.error(text);
}

/** The rows as a Markdown table, followed by the reasons of failures. */
function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    if ('failure' in row) return [row.name, '', 'FAILED', '', ''];
    if ('missing' in row) return [row.name, '', `DID NOT RUN: ${row.missing}`, '', ''];
    return [row.name, row.version, row.made, row.compiled, row.ran];
  });
  const table = [['Tool', 'Version', 'Makes', 'Compiled', 'Run'], ['---', '---', '---', '---', '---'], ...lines];
  const failures = rows.flatMap((row) => ('failure' in row ? [`\n${row.name} FAILED:\n${row.failure}`] : []));
  return [...table.map((cells) => `| ${cells.join(' | ')} |`), ...failures].join('\n');
}
