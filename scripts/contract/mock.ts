import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, portNumber, runProgram } from '../command-line.ts';
import { ContractError, readContract } from './read.ts';
import { ROOT } from './redocly.ts';

const CLI = fileURLToPath(new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
const READY = /Prism is listening on (http:\/\/\S+)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: Prism colours what it prints, whatever it prints to.
const COLOURS = /\u001b\[[0-9;]*m/g;

/** A running mock server. */
export interface Mock {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Stops the server; resolves when its process has ended. */
  stop(): Promise<void>;
  process: ChildProcess;
}

/**
 * Starts Prism on a contract; resolves when Prism listens.
 * @param port 0 takes a free port.
 * @param show called with each line that Prism prints.
 * @throws ContractError when the contract cannot be read, or when Prism ends before it listens; then with Prism's
 * output.
 */
export async function startMock(
  contractPath: string,
  port: number,
  host = '127.0.0.1',
  show: (line: string) => void = () => {},
): Promise<Mock> {
  await readContract(contractPath);
  const child = spawn(
    process.execPath,
    [CLI, 'mock', contractPath, '--port', String(port), '--host', host, '--cors', 'false'],
    { cwd: ROOT, env: { ...process.env, SCARF_ANALYTICS: 'false' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<void>((done) => {
    child.once('close', () => done());
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  return new Promise<Mock>((started, failed) => {
    let said = '';
    let buffer = '';
    const read = (text: string): void => {
      buffer += text.replaceAll(COLOURS, '');
      const lines = buffer.split('\n');
      buffer = lines.pop() ?? '';
      for (const line of lines) {
        show(line);
        if (said.length < 10_000) said += `${line}\n`;
        const url = READY.exec(line)?.[1];
        if (url !== undefined) started({ url, stop, process: child });
      }
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', failed);
    child.once('close', () =>
      failed(new ContractError(`Prism ended before it listened on ${host}:${port}.\n${said}${buffer}`)),
    );
  });
}

if (import.meta.main) {
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
    .action(async (file: string, { port, host }: { port: number; host: string }) => {
      const mock = await startMock(resolve(file), port, host, (line) => console.log(line));
      console.log(`The mock listens on ${mock.url}/developer/v1. Ctrl-C stops it.`);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void mock.stop());
      mock.process.once('close', () => process.exit(0));
    });
  process.exitCode = await runProgram(program, process.argv.slice(2));
}
