/** `npm run seed`: fills a database with invented tenants. Exit codes: 0 done, 1 refused, 2 usage, 3 no database. */

import { engineOf } from '../../../handlers/data/engine.ts';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { removeTenant } from '../../../handlers/leaving/tenant.ts';
import { now } from '../../../handlers/runtime/clock.ts';
import { commandLine, refuse, runProgram, wholeNumber } from '../../kit/command-line.ts';
import { audited, newEntry } from '../settings/audit-log.ts';
import { connect, databaseFailure } from '../settings/connect.ts';
import { grouped, type Output, progressReporter } from './progress.ts';
import { inventTenant, type TenantPlan, tenantIdOf } from './tenant.ts';
import { writeTenant } from './write.ts';

const MOST_EMPLOYEES = 1_000_000;
const MOST_TENANTS = 1_000;
const BULK = 50_000;

interface SeedOptions {
  readonly replace?: boolean;
  readonly output?: Output;
}

async function refuseExisting(store: Store, plan: TenantPlan): Promise<void> {
  if ((await store.tenants.findOne({ _id: tenantIdOf(plan) })) === null) return;
  refuse(
    `The tenant "${plan.name}" of seed ${plan.seed} is in this database already. Add --replace to replace it, or take another --seed.`,
  );
}

/** Writes one invented tenant. @returns what is reported: nothing else ever shows the sample keys. @throws Failure (refused) when it already exists and `replace` is not set */
export async function seedTenant(store: Store, plan: TenantPlan, options: SeedOptions = {}) {
  const tenantId = tenantIdOf(plan);
  if (!options.replace) await refuseExisting(store, plan);
  // Also removes the rows of an interrupted run, which had not yet written the tenant itself.
  await removeTenant(store, tenantId);
  const invented = inventTenant(plan);
  const progress = options.output ? progressReporter(plan.name, plan.employees, options.output) : undefined;
  await writeTenant(store, invented, progress);
  return { tenant_id: tenantId, name: plan.name, employees: plan.employees, keys: invented.access.secrets };
}

/** Refuses a database that may hold real tenants, unless it is meant. @throws Failure (refused) */
export async function requireInventedAllowed({ client }: Pick<Store, 'client'>, anyDatabase = false): Promise<void> {
  if (anyDatabase) return;
  const { topology } = await engineOf(client);
  if (topology === 'embedded') return;
  refuse(
    `This database (${topology}) is not the embedded one and may hold real tenants, beside which an invented tenant with an administrator and keys would be made. Add --any-database if that is meant.`,
  );
}

interface Flags {
  employees: number;
  tenants: number;
  seed: string;
  name?: string;
  replace?: boolean;
  anyDatabase?: boolean;
  data: string;
  json?: boolean;
}

/** The names of the tenants of one run: NAME, NAME-2, NAME-3 … */
export function tenantNames({ name, seed, tenants }: Pick<Flags, 'name' | 'seed' | 'tenants'>): string[] {
  const first = name ?? `seed-${seed}`;
  return Array.from({ length: tenants }, (_, i) => (i === 0 ? first : `${first}-${i + 1}`));
}

async function run(flags: Flags): Promise<void> {
  const { store, close } = await connect({ env: process.env, dataDir: flags.data, create: true, patient: true });
  try {
    await requireInventedAllowed(store, flags.anyDatabase);
    const plans = tenantNames(flags).map((name) => ({ name, seed: flags.seed, employees: flags.employees }));
    for (const plan of flags.replace ? [] : plans) await refuseExisting(store, plan);
    // In an empty database a big load is faster without indexes; they are built once, at the end.
    const indexesLast = flags.employees * flags.tenants >= BULK && (await store.tenants.findOne({})) === null;
    if (!indexesLast) await createIndexes(store);
    const seeded: Awaited<ReturnType<typeof seedTenant>>[] = [];
    const options = { replace: flags.replace ?? false, output: process.stderr };
    for (const plan of plans) {
      const entry = { ...newEntry('seed', undefined, now()), tenant_id: tenantIdOf(plan) };
      const made = () => ({ outcome: 'DONE' as const, results: [tenantIdOf(plan)] });
      seeded.push(await audited(store, entry, now, () => seedTenant(store, plan, options), made));
    }
    if (indexesLast) {
      process.stderr.write('Building the indexes …\n');
      await createIndexes(store);
    }
    if (flags.json) {
      process.stdout.write(`${JSON.stringify({ tenants: seeded })}\n`);
      return;
    }
    for (const { name, tenant_id, employees, keys } of seeded) {
      process.stdout.write(
        `\nTenant ${name} (${tenant_id}), ${grouped(employees)} employees. Its keys, shown only now:\n`,
      );
      for (const { owner, key } of keys) process.stdout.write(`  ${owner.padEnd(22)} ${key}\n`);
    }
  } catch (error) {
    throw databaseFailure(error);
  } finally {
    await close();
  }
}

const HELP = `
The same seed and name give the same data, ids and times, on every machine. Keys are random and shown once. People are
invented: the IINs have a wrong checksum on purpose, the e-mail domains are reserved ones, and the telephone numbers lead
nowhere.
The database is MONGODB_URI, or what the file MONGODB_URI_FILE holds; unset, the one that a running npm start uses; else
the embedded one of --data, which is started for the one command. One that is not the embedded database is refused without --any-database, because it may hold
real tenants.

Examples:
  npm run seed -- --employees 1000
  npm run seed -- --employees 500 --tenants 20 --seed load
  npm run seed -- --employees 1000000 --name big
  npm run seed -- --employees 1000 --replace
`;

/** @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const program = commandLine('seed', 'Fills a database with invented, realistic tenants.')
    .option('-n, --employees <N>', 'employees of each tenant, 1 to 1 000 000', wholeNumber(1, MOST_EMPLOYEES), 1000)
    .option('-t, --tenants <N>', 'how many tenants', wholeNumber(1, MOST_TENANTS), 1)
    .option('-s, --seed <text>', 'determines the data', '1')
    .option('--name <text>', 'the name of the first tenant; further ones are NAME-2, NAME-3 … (default: seed-SEED)')
    .option('--replace', 'first remove these tenants with all their rows')
    .option('--any-database', 'also write to a database that is not the embedded one')
    .option('--data <folder>', 'folder of the embedded database', '.data')
    .option('--json', 'print the tenants and their keys as JSON')
    .addHelpText('after', HELP)
    .action(run);
  return runProgram(program, argv);
}
