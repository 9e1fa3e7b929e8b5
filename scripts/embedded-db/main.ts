import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

const HELP = `Usage: node scripts/embedded-db/main.ts --data DIR [--port N] [--socket PATH]

A small database that speaks MongoDB's wire protocol and keeps its data in DIR.
For development, tests and small installations on one machine.

  --data DIR     folder of the data, made if it is not there
  --port N       TCP port on 127.0.0.1; 0, the default, takes a free one
  --socket PATH  Unix socket to listen on instead of a port
  --help         this text

Prints "listening URI" when it is ready. SIGTERM and SIGINT end it cleanly.
`;

function stop(message: string): never {
  process.stderr.write(`embedded-db: ${message}\n`);
  process.exit(1);
}

function readArguments(): { data: string; port: number; socket?: string } {
  const options = {
    data: { type: 'string' },
    port: { type: 'string' },
    socket: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  let values: { data?: string; port?: string; socket?: string; help?: boolean };
  try {
    ({ values } = parseArgs({ options, strict: true, allowPositionals: false }));
  } catch (error) {
    return stop(`${(error as Error).message} (see --help)`);
  }
  if (values.help === true) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const { data, port = '0', socket } = values;
  if (data === undefined || data === '') return stop('--data DIR is missing (see --help)');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) stop(`--port takes a number from 0 to 65535, not "${port}"`);
  if (socket !== undefined && values.port !== undefined) stop('--port and --socket exclude each other');
  return { data, port: Number(port), ...(socket === undefined ? {} : { socket }) };
}

const options = readArguments();
// From its second start on the process is ready sooner and needs less memory: types are stripped already.
enableCompileCache();
const [{ start }, { LockedError }] = await Promise.all([import('./server.ts'), import('./database.ts')]);
const started = await start(options).catch((error: Error) =>
  stop(error instanceof LockedError ? error.message : `cannot start: ${error.message}`),
);

let closing = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (closing) return;
    closing = true;
    started.close().then(
      () => process.exit(0),
      (error: Error) => stop(`cannot close: ${error.message}`),
    );
  });
}
process.stdout.write(`listening ${started.uri}\n`);
