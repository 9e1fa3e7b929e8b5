/** `settings conformance`: tenants, keys and fixtures for the conformance suite, and the profile that names them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Callbacks } from '../../../conformance/profile/profile.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { removeTenant } from '../../../handlers/leaving/tenant.ts';
import { prepareStore } from '../../../handlers/prepare-store.ts';
import { databaseName } from '../../../handlers/runtime/config.ts';
import { commaList, invalid, misuse, refuse, wholeNumber } from '../../kit/command-line.ts';
import { grouped } from '../seed/progress.ts';
import { databaseNote } from '../start/notes.ts';
import {
  knownVariables,
  openFolder,
  removeFolder,
  serverEnvFile,
  sharedVariables,
  tenantsNote,
  writeServerEnv,
} from '../suite/folder.ts';
import { envFile, loopbackCallbacks, profileFile, programLine, writeProfile } from '../suite/profile.ts';
import { receiverAt, receiverEnv } from '../suite/receiver.ts';
import { ensureSuiteTenants } from '../suite/suite-tenants.ts';
import {
  ensureTenants,
  idsOf,
  type TenantSet,
  tenantRoles,
  testTenants,
  USUAL_EMPLOYEES,
} from '../suite/tenant-set.ts';
import { type Answer, commandForAllTenants, type Group, take, type Values, type ValueType } from './command.ts';
import { givenSecret } from './connect.ts';
import { storageFor } from './object-storage.ts';
import { same } from './shape.ts';
import { onOrOff, text, title } from './values.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

const origin = (given: string): string => {
  if (!/^https?:\/\/[^/?#]+\/?$/.test(given) || !URL.canParse(given)) invalid('It must be like https://api.example.');
  return given.replace(/\/$/, '');
};
const url: ValueType<string> = { placeholder: 'url', read: origin };
const urls: ValueType<readonly string[]> = {
  placeholder: 'urls',
  read: (given) => commaList(given).map(origin),
};

const address: ValueType<Address> = {
  placeholder: 'address:port',
  resolve(_, given) {
    const [, host = '', port = ''] = /^(\[[0-9a-f:]+\]|[^:[\]]+):(\d{1,5})$/i.exec(given) ?? [];
    if (host === '' || Number(port) > 65_535) misuse(`"${given}" is no address with a port, such as 127.0.0.1:8443.`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  },
};

const mode: ValueType<Callbacks['mode']> = { placeholder: 'mode', choices: ['loopback', 'public', 'command', 'none'] };
const employeeCount: ValueType<number> = { placeholder: 'N', read: wholeNumber(200, 1_000_000) };

/** The tenants that a folder or a name stands for. @throws Failure if the folder is for others */
function setOf(out: string, name: string | undefined): TenantSet {
  const noted = tenantsNote.read(out)?.name;
  if (noted !== undefined && name !== undefined && noted !== name) {
    refuse(`The folder ${out} is for the tenants of "${noted}". Take another folder for "${name}".`);
  }
  return testTenants(name ?? noted ?? path.basename(path.resolve(out)));
}

/** @throws Failure if the folder or the names are in use for others, or the tenants' keys are in another folder */
async function requireOwn(store: Store, set: TenantSet, out: string): Promise<void> {
  const ids = idsOf(set);
  const { main } = set.names;
  if (tenantsNote.read(out) === undefined && [profileFile(out), envFile(out)].some((file) => existsSync(file))) {
    refuse(`The folder ${out} holds a profile or keys that another command has made. Take a folder of its own.`);
  }
  for (const role of tenantRoles) {
    const other = await store.tenants.findOne({ name: set.names[role], _id: { $ne: ids[role] } });
    if (other) refuse(`There is a tenant "${other.name}" already (${other._id}), of others. Take another --name.`);
  }
  if (tenantsNote.read(out) !== undefined || !(await store.tenants.findOne({ _id: ids.main }))) return;
  refuse(
    `The tenants of "${main}" exist, and their keys are in another folder. Give that folder, take another --name, or ` +
      `remove them first: settings conformance remove --name ${main}`,
  );
}

const creation = {
  out: take.required(text('folder'), 'for profile, keys and certificates; the same folder again repairs what is there'),
  baseUrl: take.required(url, 'address of the service'),
  name: take.optional(title('name', 60), 'of the tenants: NAME, NAME-other, … (default: the name of the folder)'),
  replicas: take.optional(urls, 'addresses of further api processes, comma-separated'),
  clock: take.optional(urls, 'control clocks of all processes, comma-separated; the suite asks the first one'),
  restart: take.optional(
    text('command'),
    'a line for sh that restarts the process at the address and waits for its end',
  ),
  logs: take.optional(text('command'), 'a line for sh that prints the log lines of all processes since "$1"'),
  callbacks: take.defaulting(mode, 'how deliveries arrive', 'loopback'),
  callbacksListen: take.defaulting(address, 'where the suite listens for them', '127.0.0.1:8443'),
  callbacksUrl: take.optional(text('url'), 'the https address of that (public)'),
  callbacksCommand: take.optional(text('command'), 'opens a tunnel to {port} and prints an https address (command)'),
  largeBodies: take.defaulting(onOrOff, 'whether the suite sends bodies of 32 MiB', true),
  terminator: take.defaulting(onOrOff, 'whether a proxy in front may refuse what is no valid HTTP', false),
  employees: take.defaulting(employeeCount, 'of the main tenant; rules about totals need 10 001', USUAL_EMPLOYEES),
};

type Creation = Values<typeof creation>;

/** How deliveries arrive, and what the server must allow for it. @throws Failure for a mode that lacks its option */
function callbacksOf(given: Creation, now: Date): { callbacks: Callbacks; allowed: Record<string, string> } {
  const { out, callbacks: mode, callbacksListen: at, callbacksUrl, callbacksCommand } = given;
  const allowed = {};
  switch (mode) {
    case 'loopback': {
      const receiver = receiverAt(out, at, now);
      return { callbacks: loopbackCallbacks(receiver, out), allowed: receiverEnv(receiver) };
    }
    case 'public': {
      const listen = `${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
      return { callbacks: { mode, listen, url: callbacksUrl ?? misuse('Say the --callbacks-url.') }, allowed };
    }
    case 'command': {
      const command = callbacksCommand ?? misuse('Say the --callbacks-command that opens the tunnel.');
      return { callbacks: { mode, command: ['sh', '-c', command] }, allowed };
    }
    case 'none':
      return { callbacks: { mode }, allowed };
  }
}

/** The options for what rules need and nothing was said about. */
function gapsOf(given: Creation): string[] {
  const unsaid = (['clock', 'replicas', 'restart', 'logs'] as const).filter((name) => given[name] === undefined);
  const lacking = [
    ...unsaid,
    ...(given.callbacks === 'none' ? ['callbacks'] : []),
    ...(given.employees > 10_000 ? [] : ['employees']),
  ];
  return lacking.map((name) => `--${name}`);
}

const removal = {
  out: take.optional(text('folder'), 'the folder that create has made; it is removed, too'),
  name: take.optional(title('name', 60), 'the name of the tenants, if the folder is lost'),
  keepFiles: take.flag('leave the files of documents in the storage'),
};

export const conformance: Group = {
  about: 'Tenants, keys and fixtures for the conformance suite, in any deployment that uses the database.',
  examples: [
    'conformance create --out qa --base-url http://127.0.0.1:8080',
    'conformance create --out qa --base-url https://api.staging.example --callbacks none',
    'conformance remove --out qa',
  ],
  commands: {
    create: commandForAllTenants({
      about: 'Make invented tenants with all keys, owners and fixtures of the suite, and write profile and keys.',
      json: same('name', 'tenants', 'tenants_made', 'employees', 'keys', 'profile', 'env_file', 'server_env_file'),
      note: `
The folder gets conformance.yaml (the profile), conformance.env (the keys), server.env (with what each process of the
service must be started), and certificates. The settings that the suite changes are changed by this tool. Again with the
same folder, or after an interruption, it repairs what is missing. The tenants are no other ones than remove takes away.`,
      takes: creation,
      databaseFolder: 'out',
      examples: [
        'conformance create --out qa --base-url http://127.0.0.1:8080',
        'conformance create --out qa --base-url https://api.staging.example --callbacks public --callbacks-listen 0.0.0.0:8080 --callbacks-url https://hooks.example/qa',
      ],
      async run(at, given) {
        const { store, now, env, dataDir, progress } = at;
        const { out, baseUrl, replicas = [], clock = [], restart, logs, largeBodies, terminator, employees } = given;
        const set = setOf(out, given.name);
        await requireOwn(store, set, out);
        const uri = givenSecret(env, 'MONGODB_URI');
        const { callbacks, allowed } = callbacksOf(given, now);
        openFolder(out, set.names.main, uri === undefined ? undefined : { uri, name: databaseName(env) });
        const peers: Record<string, string> = clock.length > 1 ? { CONTROL_PEERS: clock.join() } : {};
        writeServerEnv(out, { ...knownVariables(out, env), ...allowed, ...peers });
        await prepareStore(store);
        const made = await ensureTenants(store, set, employees, progress);
        const ensured = await ensureSuiteTenants(store, set, out, now);
        const waiting = [baseUrl, ...replicas].join();
        const facts = {
          ...ensured,
          name: new URL(baseUrl).host,
          tag: set.names.main,
          folder: out,
          dataDir: databaseNote.read(out) ? out : dataDir,
          baseUrl,
          replicas,
          controlUrl: clock[0] ?? null,
          callbacks,
          restart: restart ? programLine('scripts/operate/suite/restart.ts', '--url', waiting, restart) : null,
          logs: logs ? ['sh', '-c', logs, 'logs', '{since}'] : null,
          consentToLargeBodies: largeBodies,
          hasTerminator: terminator,
        };
        writeProfile(facts, `settings conformance create for ${set.names.main}`);
        const files = {
          profile: path.resolve(profileFile(out)),
          env_file: path.resolve(envFile(out)),
          server_env_file: path.resolve(serverEnvFile(out)),
        };
        const keys = Object.keys(ensured.secrets).length;
        const tenants = tenantRoles.map((role) => ({ id: ensured.tenants[role], name: set.names[role] }));
        const names = tenants.map(({ name }) => name).join(', ');
        const gaps = gapsOf(given);
        return {
          of: { name: set.names.main, tenants, tenants_made: made, employees: ensured.employees, keys, ...files },
          text: [
            `${made === 0 ? 'Repaired' : 'Made'} the tenants ${names}, with ${grouped(ensured.employees)} employees and ${keys} keys.`,
            {
              facts: [
                ['profile', files.profile],
                ['keys', `${files.env_file} (only for its owner)`],
                ['servers', `npm run server -- --env-file ${files.server_env_file}`],
                ...(gaps.length === 0 ? [] : [['untested', `rules that need ${gaps.join(', ')}`] as const]),
                ['check it', `npm run conformance -- doctor --profile ${files.profile}`],
                ['run it', `npm run conformance -- --profile ${files.profile}`],
                ['remove it', `npm run settings -- conformance remove --out ${out}`],
              ],
            },
          ],
        } satisfies Answer;
      },
    }),
    remove: commandForAllTenants({
      about: 'Remove these tenants with all that they hold, also files in the storage, and the folder.',
      json: same('name', 'rows', 'files'),
      note: `
It finds files by STORAGE_DIR or S3_BUCKET of its environment, or by what create has stored. It may be repeated.`,
      takes: removal,
      databaseFolder: 'out',
      examples: ['conformance remove --out qa', 'conformance remove --name qa --json'],
      async run(at, { out, name, keepFiles }) {
        const { store, dataDir } = at;
        const set =
          out === undefined
            ? testTenants(name ?? misuse('Say what to remove: --out FOLDER or --name NAME.'))
            : setOf(out, name);
        const ids = Object.values(idsOf(set));
        if (out !== undefined && existsSync(out) && tenantsNote.read(out) === undefined) {
          refuse(`The folder ${out} was not made by conformance create. Remove tenants without a folder by --name.`);
        }
        const env = out === undefined ? sharedVariables(at.env) : knownVariables(out, at.env);
        const storage = keepFiles ? undefined : await storageFor({ store, env, dataDir }, ids, ', or add --keep-files');
        let [rows, files] = [0, 0];
        for (const id of ids) {
          const { objects = 0, ...counts } = await removeTenant(store, id, { storage });
          files += objects;
          for (const count of Object.values(counts)) rows += count;
        }
        if (out !== undefined && existsSync(out)) removeFolder(out);
        const { main } = set.names;
        const text = `Removed the tenants of "${main}": ${grouped(rows)} rows, ${grouped(files)} files.`;
        return { of: { name: main, rows, files }, text };
      },
    }),
  },
};
