/**
 * Every secret of a deployment is changed under load as the runbook says, in the order of its blocks. No request may be
 * refused, and nothing may be lost: while processes are replaced one by one, those with the former secret and those with
 * the new one work side by side.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { goTool, needed } from '../../testbed/go-tool.ts';
import { GuardedDatabase } from '../../testbed/guarded-database.ts';
import { findMongod } from '../../testbed/mongod-tool.ts';
import { makeBucket, type S3Server, startS3Server } from '../../testbed/s3-server.ts';
import { TestTenant } from '../../testbed/tenant.ts';
import { runBlock, settingsOf } from '../page-blocks.ts';
import { pause } from './fleet.ts';
import { drillBlocks, needMongosh, RollingFleet } from './rolling.ts';
import { KeyUsers } from './rotate-load.ts';
import type { Result, Suite, SuiteOptions } from './suite.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const newKey = () => randomBytes(32).toString('base64url');

/** What blocks of the runbook work on. */
interface Place {
  readonly fleet: RollingFleet;
  readonly database: GuardedDatabase;
  readonly s3: S3Server;
  readonly users: KeyUsers;
  /** Variables for the blocks. */
  readonly env: Record<string, string>;
  readonly folder: string;
}

/** A secret that is changed. */
interface Rotation {
  /** What its blocks need besides the usual variables, and what happens before the first of them. */
  prepare?(place: Place): Promise<Record<string, string>>;
  /** What happens after a block of a kind. @param said its output @returns sentences about what is wrong */
  readonly after?: Readonly<Record<string, (place: Place, said: string) => Promise<readonly string[]>>>;
}

/** A page token from before the rotation opens until it has expired. */
const heldToken =
  (what: string) =>
  async ({ users }: Place) => {
    const status = await users.useHeldToken();
    return status === 200 ? [] : [`a page token ${what} is answered with ${status}`];
  };

const ROTATIONS: Readonly<Record<string, Rotation>> = {
  'page-token-keys': {
    async prepare({ users }) {
      await users.holdToken();
      return { NEW: newKey() };
    },
    after: { first: heldToken('from before the rotation') },
  },
  'webhook-secret-keys': {
    prepare: async () => ({ NEW: newKey() }),
  },
  'database-user': {
    prepare: async ({ database, env }) => ({
      ADMIN_URI: database.adminUri,
      DATABASE: env.MONGODB_DATABASE ?? '',
      OLD: database.user.name,
      NEW: 'service-2',
      PASSWORD: randomUUID(),
      HOSTS: database.hosts,
    }),
  },
  'bucket-key': {
    async prepare({ users, s3 }) {
      await users.holdForm();
      return { ...s3.adminEnv, OLD: S3_FIRST.accessKeyId, NEW: 'files-2', SECRET: randomUUID() };
    },
    after: {
      settings: async ({ users }) => {
        const status = await users.useHeldForm();
        return status === 204 ? [] : [`a form from before the rotation is answered with ${status}`];
      },
    },
  },
  'api-key': {
    prepare: async ({ fleet, users, folder }) => ({
      OWNER: fleet.documents.initiator.userId,
      OLD: await users.keyId(),
      FILE: join(folder, 'key.json'),
    }),
    after: {
      create: async ({ users, folder }) => {
        users.changeKey(JSON.parse(readFileSync(join(folder, 'key.json'), 'utf8')).secret);
        await pause(1_000);
        return [];
      },
      revoke: async ({ users }) => {
        const status = await users.useFormerKey();
        return status === 401 ? [] : [`the revoked key is answered with ${status}`];
      },
    },
  },
  'endpoint-secret': {
    prepare: async ({ users, folder }) => ({ ...(await users.subscribe()), FILE: join(folder, 'endpoint.json') }),
    after: {
      create: async ({ users, folder }) => {
        users.acceptToo(JSON.parse(readFileSync(join(folder, 'endpoint.json'), 'utf8')).secret);
        await pause(1_000);
        return [];
      },
      delete: async ({ users }) => {
        users.acceptOnlyNewest();
        await pause(1_000);
        return [];
      },
    },
  },
};

const BUCKET = 'files';
/** The first user of the bucket. */
const S3_FIRST = { accessKeyId: 'files-1', secretAccessKey: randomUUID() };
const S3_ADMIN = { accessKeyId: 'root', secretAccessKey: 'the secret of the administrator' };

async function rotate(place: Place, name: string, rotation: Rotation): Promise<string[]> {
  const wrong: string[] = [];
  const more = (await rotation.prepare?.(place)) ?? {};
  for (const block of drillBlocks(name)) {
    const env = { ...place.env, ...more };
    let said = '';
    if (/^[A-Z_0-9]+=/.test(block.script) && block.kind !== 'read') {
      const settings = await settingsOf(block, env);
      await place.fleet.roll({ env: settings });
      if (settings.MONGODB_URI !== undefined) place.env.MONGODB_URI = settings.MONGODB_URI;
      if (settings.WEBHOOK_SECRET_KEYS !== undefined) place.env.WEBHOOK_SECRET_KEYS = settings.WEBHOOK_SECRET_KEYS;
    } else if (block.kind === 'read') Object.assign(more, await settingsOf(block, env));
    else said = await runBlock(block, env);
    wrong.push(...((await rotation.after?.[block.kind]?.(place, said)) ?? []));
  }
  return wrong.map((what) => `${name}: ${what}`);
}

/** The programs that the blocks call. @throws Error with what is missing */
async function programs(say: SuiteOptions['say']): Promise<Readonly<Record<'mongod' | 'versitygw', string>>> {
  needMongosh();
  return {
    mongod: needed(await findMongod(say)),
    versitygw: needed(await goTool(join(ROOT, 'scripts/checks/test/versitygw'), say)),
  };
}

async function drill(options: SuiteOptions): Promise<Result> {
  const { mongod, versitygw } = await programs(options.say);
  const folder = temporaryFolder('rotate-');
  const database = new GuardedDatabase(mongod);
  const fleet = await RollingFleet.open(database, options);
  const { deployment, store, tenantId, initiator } = fleet.documents;
  await using _ended = deployment;
  const s3 = await startS3Server({ program: versitygw, folder, ...S3_ADMIN });
  await makeBucket(s3, BUCKET, { ...S3_FIRST, role: 'admin' }, async () => {});
  deployment.atEnd(async () => {
    await s3.running.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const bucket = {
    STORAGE_DIR: '',
    STORAGE_URL: '',
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: s3.endpoint,
    S3_FORCE_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: S3_FIRST.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_FIRST.secretAccessKey,
  };
  await fleet.start({ env: bucket });
  const users = new KeyUsers(fleet, new TestTenant(store, tenantId, initiator.userId));
  await users.begin();
  const API = `${fleet.balancer.url}/developer/v1`;
  const env = { ...database.env, TENANT: tenantId, API };
  const place: Place = { fleet, database, s3, users, env, folder };
  const wrong: string[] = [];
  const lines: string[] = [];
  for (const [name, rotation] of Object.entries(ROTATIONS)) {
    if (options.only.length > 0 && !options.only.includes(name)) continue;
    const from = fleet.watched.seen.length;
    wrong.push(...(await rotate(place, name, rotation)));
    const seen = fleet.watched.seen.slice(from);
    const failed = seen.filter(({ status }) => status !== 200 && status !== 429).length;
    lines.push(`${name}: ${failed} of ${seen.length} requests failed.`);
    options.say(lines.at(-1) ?? '');
  }
  wrong.push(...(await users.end()));
  const whole = await fleet.end();
  return { lines: [...lines, users.line, whole.line], wrong: [...wrong, ...whole.wrong, ...users.missedEvents()] };
}

/** The suite. */
export const rotation: Suite = {
  name: 'rotate',
  about: 'Changes every secret under load, as the runbook says, while processes are replaced one by one.',
  sizes: [],
  parts: Object.keys(ROTATIONS),
  // It takes minutes.
  inQuick: false,
  run: drill,
};
