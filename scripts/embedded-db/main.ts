import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

const HELP = `Usage: node scripts/embedded-db/main.ts --data DIR

A small database that speaks MongoDB's wire protocol and keeps its data in DIR.
For development, tests and small installations on one machine.

  --data DIR     folder of the data, made if it is not there; nobody but its owner can enter it
  --help         this text

Prints "listening URI", the address of a Unix socket, when it is ready. SIGTERM, SIGINT and SIGHUP end it cleanly.
`;

function stop(message: string): never {
  process.stderr.write(`embedded-db: ${message}\n`);
  process.exit(1);
}

function readArguments(): { data: string } {
  const options = { data: { type: 'string' }, help: { type: 'boolean' } } as const;
  let values: { data?: string; help?: boolean };
  try {
    ({ values } = parseArgs({ options, strict: true, allowPositionals: false }));
  } catch (error) {
    return stop(`${(error as Error).message} (see --help)`);
  }
  if (values.help === true) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const { data } = values;
  return data === undefined || data === '' ? stop('--data DIR is missing (see --help)') : { data };
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
process.stdout.write(`listening ${started.uri}\n`);
