import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, EXIT, exitingWith, portNumber, runProgram } from '../kit/command-line.ts';
import { untilStopped } from '../kit/ending.ts';
import { endPrograms, RunningProgram } from '../kit/program.ts';
import { ContractError, readContract } from './read.ts';
import { ROOT } from './redocly.ts';

const CLI = fileURLToPath(new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
const KEPT_OUTPUT = 10_000;
const READY = /Prism is listening on (http:\/\/\S+)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: Prism colours its output for every kind of output.
const COLOURS = /\u001b\[[0-9;]*m/g;

/** A mock server, with the URL where it listens, without a slash at the end. */
export type Mock = RunningProgram & { readonly url: string };

/**
 * Starts Prism on a contract; resolves when Prism listens.
 * @param port 0 takes a free port.
 * @param show called with what Prism prints.
 * @throws ContractError when the contract cannot be read, or when Prism ends before it listens; then with Prism's
 * output.
 */
export async function startMock(
  contractPath: string,
  port: number,
  host = '127.0.0.1',
  show: (text: string) => void = () => {},
): Promise<Mock> {
  await readContract(contractPath);
  const args = ['mock', contractPath, '--port', String(port), '--host', host, '--cors', 'false'];
  const prism = new RunningProgram([process.execPath, CLI, ...args], {
    name: 'Prism',
    cwd: ROOT,
    env: { ...process.env, SCARF_ANALYTICS: 'false' },
    keptOutput: KEPT_OUTPUT,
    onOutput: (text) => show(text.replaceAll(COLOURS, '')),
  });
  try {
    const url = await prism.line((line) => READY.exec(line.replaceAll(COLOURS, ''))?.[1]);
    return Object.assign(prism, { url });
  } catch {
    const output = `${prism.stdout}${prism.stderr}`.replaceAll(COLOURS, '');
    throw new ContractError(`Prism ended before it listened on ${host}:${port}.\n${output}`);
  }
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about =
    'A mock server that answers with the examples of the contract. No database and no key is needed; any X-API-Key will do.';
  const program = commandLine('npm run mock --', about)
    .argument('[file]', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--port <number>', 'port to listen on; 0 takes a free one', portNumber, 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addHelpText(
      'after',
      `
Choose an answer with the header Prefer, by its status and the name of its example:
  curl -H 'X-API-Key: any' -H 'Prefer: code=429, example=RATE_LIMIT_EXCEEDED' http://127.0.0.1:4010/developer/v1/employees

Exit codes: 0 stopped, 1 it could not start, 2 wrong usage.`,
    )
    .action(
      exitingWith(async (file: string, { port, host }: { port: number; host: string }) => {
        const stop = untilStopped();
        stop.addEventListener('abort', () => void endPrograms());
        const mock = await startMock(resolve(file), port, host, (text) => process.stdout.write(text));
        console.log(`The mock listens on ${mock.url}/developer/v1. Ctrl-C stops it.`);
        await mock.ended;
        return stop.aborted ? EXIT.ok : EXIT.refused;
      }),
    );
  return runProgram(program, argv, (error) => (error instanceof ContractError ? EXIT.refused : undefined));
}
