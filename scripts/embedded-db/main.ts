import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

const HELP = `Usage: node scripts/embedded-db/main.ts --data DIR [--port N]

A small database that speaks MongoDB's wire protocol and keeps its data in DIR.
For development, tests and small installations on one machine.

  --data DIR     folder of the data, made if it is not there; nobody but its owner can enter it
  --port N       listen also on this TCP port of 127.0.0.1, with a password; 0 takes a free one.
                 The connection string is in DIR/tcp.uri, which only its owner can read
  --help         this text

Prints "listening URI", the address of a Unix socket, when it is ready. SIGTERM, SIGINT and SIGHUP end it cleanly.
`;

function stop(message: string): never {
  process.stderr.write(`embedded-db: ${message}\n`);
  process.exit(1);
}

function readArguments(): { data: string; port?: number } {
  const options = { data: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' } } as const;
  let values: { data?: string; port?: string; help?: boolean };
  try {
    ({ values } = parseArgs({ options, strict: true, allowPositionals: false }));
  } catch (error) {
    return stop(`${(error as Error).message} (see --help)`);
  }
  if (values.help === true) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const { data, port } = values;
  if (data === undefined || data === '') return stop('--data DIR is missing (see --help)');
  if (port === undefined) return { data };
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) stop(`--port takes a number from 0 to 65535, not "${port}"`);
  return { data, port: Number(port) };
}

const options = readArguments();
// From its second start on the process is ready sooner and needs less memory, because the types are already stripped.
enableCompileCache();
const [{ start }, { LockedError }] = await Promise.all([import('./server.ts'), import('./database.ts')]);
const started = await start(options).catch((error: Error) =>
  stop(error instanceof LockedError ? error.message : `cannot start: ${error.message}`),
);

let closing = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (closing) return;
    closing = true;
    started.close().then(
      () => process.exit(0),
      (error: Error) => stop(`cannot close: ${error.message}`),
    );
  });
}
const { tcp, uri } = started;
if (tcp !== undefined) process.stdout.write(`also at ${tcp.address}; its connection string is in ${tcp.uriFile}\n`);
process.stdout.write(`listening ${uri}\n`);
