/**
 * Checks that other people's tools can read the contract: each makes its result from the contract, the result is
 * compiled, and clients are run against a service. Tools are fetched by the usual clients of their registries and kept
 * outside the repository. Nothing is written inside it.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commaList, commandLine, EXIT, exitingWith, misuse, runProgram } from '../../kit/command-line.ts';
import { untilStopped } from '../../kit/ending.ts';
import { endPrograms, nodeScript } from '../../kit/program.ts';
import { background } from '../../kit/run-program.ts';
import { operationsOf, readContract } from '../read.ts';
import { ROOT } from '../redocly.ts';
import { demand, run as runCommand, ToolMissing } from './command.ts';
import { openTarget, type Target } from './target.ts';
import { type Bench, type Tool, tools } from './tools.ts';

/** Enough for several pages, and few enough to be seeded in seconds. */
const EMPLOYEES = '2500';
const KEY = 'CONF_KEY_FULL_1';

interface Flags {
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly url?: string;
}

/** The cells of a tool: its name, its version, and what it made, compiled and ran, or why it did not. */
type Row = readonly string[];

const NAMES = tools.map(({ name }) => name).join(', ');
const ABOUT =
  'Runs client generators, and other tools that read the contract, with the contract, and checks the results.';
const program = commandLine('npm run generators --', ABOUT)
  .option('--only <names>', `some of the tools, separated by commas: ${NAMES}`, commaList)
  .option('--quick', 'only those that need only Node, npm and no service')
  .option('--url <url>', 'a running service, whose key is in the variable KEY; otherwise one is started')
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

async function run({ only, quick = false, url }: Flags): Promise<number> {
  const unknown = only?.filter((name) => tools.every((one) => one.name !== name)) ?? [];
  if (unknown.length > 0) misuse(`There is no ${unknown.join(', ')}; --help lists all tools.`);
  if (url !== undefined && !process.env.KEY) misuse('KEY is not set: a key of that service.');
  const chosen = tools.filter(({ name, isQuick }) => (only?.includes(name) ?? true) && (isQuick || !quick));
  const needsService = chosen.some(({ programs = [] }) => programs.some(([, , argv]) => argv));
  untilStopped().addEventListener('abort', () => void endPrograms());
  const scratch = mkdtempSync(join(tmpdir(), 'generators-'));
  let target: Target | undefined;
  try {
    if (needsService) target = await targetAt(url, scratch);
    const rows = await runAll(chosen, target, scratch);
    const table = [['Tool', 'Version', 'Makes', 'Compiled', 'Run'], Array(5).fill('---'), ...rows];
    console.log(table.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
    return rows.some(([, , made]) => made === FAILED) ? EXIT.refused : EXIT.ok;
  } finally {
    await target?.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const FAILED = 'FAILED';

/** Opens the proxy in front of a service, which is started if none is given. */
async function targetAt(url: string | undefined, scratch: string): Promise<Target> {
  if (url !== undefined) return openTarget(url, process.env.KEY ?? '');
  say('Starting a service …');
  const data = join(scratch, 'data');
  const options = ['--port', '0', '--json', '--processes', '1', '--employees', EMPLOYEES, '--data', data];
  const place = { cwd: ROOT, env: { LOG_LEVEL: 'warn' } };
  const service = await background(nodeScript('scripts/operate/start/main.ts', ...options), place);
  const { base_url, keys } = service.ready as { base_url: string; keys: Record<string, string> };
  return openTarget(base_url, keys[KEY] ?? '', () => service.stop());
}

async function runAll(chosen: readonly Tool[], target: Target | undefined, scratch: string): Promise<Row[]> {
  const rows: Row[] = [];
  const file = async (kind: 'yaml' | 'json', own: string) => {
    const path = join(scratch, `openapi.${kind}`);
    // Clients are made from what the service serves.
    writeFileSync(path, target === undefined ? readFileSync(join(ROOT, own)) : await target.contract(kind));
    return path;
  };
  const [yaml, json] = [await file('yaml', 'openapi.yaml'), await file('json', 'generated/openapi.json')];
  const exact = join(scratch, 'exact.json');
  writeFileSync(exact, JSON.stringify(parse(readFileSync(yaml, 'utf8'))));
  for (const [index, tool] of chosen.entries()) {
    const folder = join(scratch, String(index));
    mkdirSync(folder);
    const { name, version } = tool;
    say(`${name} …`);
    try {
      const bench = { folder, yaml, json, exact };
      rows.push([name, version, tool.makes, tool.compiled ?? '–', await ranBy(tool, bench, target)]);
    } catch (error) {
      const { message } = error as Error;
      const isMissing = error instanceof ToolMissing;
      if (!isMissing) say(`${name} FAILED:\n${message}`);
      rows.push([name, '', isMissing ? `DID NOT RUN: ${message}` : FAILED, '', '']);
    }
  }
  return rows;
}

/**
 * Lets a tool make and compile its client, and runs the programs that use it. @returns what they did
 * @throws ToolMissing, or another Error with what went wrong
 */
async function ranBy(tool: Tool, files: Omit<Bench, 'installed'>, target: Target | undefined): Promise<string> {
  const { needs = [], installs = [], programs = [], loss, lists } = tool;
  const { folder } = files;
  demand(...needs);
  const installed: string[] = [];
  for (const install of installs) installed.push(await install(say));
  for (const [file, to] of programs) cpSync(join(import.meta.dirname, 'programs', file), join(folder, to));
  // Python finds here what is installed, and a client that is not beside its program.
  const PYTHONPATH = [...installed, join(folder, 'client')].join(':');
  const env = {
    PYTHONPATH,
    PYTHONDONTWRITEBYTECODE: '1',
    CONTRACT_YAML: files.yaml,
    CONTRACT_JSON: files.json,
    BASE_URL: target?.url ?? '',
  };
  const place = { cwd: folder, env };
  for (const [command = '', ...argv] of tool.commands({ ...files, installed })) {
    const said = await runCommand(command, argv, place);
    const lost = said.split('\n').find((line) => loss?.test(line));
    if (lost !== undefined) throw new Error(lost);
  }
  if (lists !== undefined) {
    const text = readFileSync(join(folder, lists[0]), 'utf8');
    const left = operationsOf(await readContract(files.json)).filter(
      (operation) => !text.includes(lists[1](operation)),
    );
    if (left.length > 0) throw new Error(`leaves out ${left.map(({ operationId }) => operationId).join(', ')}`);
  }
  let ran = '–';
  for (const [, , argv] of programs) {
    const [command, ...rest] = argv ?? [];
    if (command !== undefined && target !== undefined) ran = await target.judge(command, rest, place);
  }
  return ran;
}

function say(text: string): void {
  console.error(text);
}
