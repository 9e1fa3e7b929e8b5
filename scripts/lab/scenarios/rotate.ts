/**
 * Every secret of a deployment is changed under load as the runbook says, in the order of its blocks. No request may be
 * refused, and nothing may be lost: while processes are replaced one by one, those with the former secret and those with
 * the new one work side by side.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { findMongod } from '../../kit/mongod-tool.ts';
import { runBlock, settingsOf } from '../../kit/page-blocks.ts';
import { goTool, needed, runTool } from '../../kit/tools.ts';
import { NAME, ReplicaSet } from '../../world/replica-set.ts';
import { makeBucket, type S3Server, startS3Server } from '../../world/s3-server.ts';
import { KeyUsers } from '../actors/key-users.ts';
import { isFailed } from '../judges/answers.ts';
import { drillBlocks, needMongosh, ROLLING_LANES, RollingProcesses } from '../rolling.ts';
import type { Scene } from '../scene.ts';
import { type Aftermath, surviving } from '../surviving.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const newKey = () => randomBytes(32).toString('base64url');

/** What blocks of the runbook work on. */
interface Place {
  readonly scene: Scene<ReplicaSet>;
  readonly processes: RollingProcesses;
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
    const refusal = await users.useHeldToken();
    return refusal === '' ? [] : [`a page token ${what}: ${refusal}`];
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
    prepare: async ({ scene, env }) => ({
      ADMIN_URI: scene.world.database.adminUri,
      DATABASE: env.MONGODB_DATABASE ?? '',
      OLD: SERVICE.username,
      NEW: 'service-2',
      PASSWORD: randomUUID(),
      HOSTS: scene.world.database.hosts,
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
    prepare: async ({ scene, users, folder }) => ({
      OWNER: scene.company.initiator.userId,
      OLD: await users.keyId(),
      FILE: join(folder, 'key.json'),
    }),
    after: {
      create: async ({ users, folder }) => {
        await users.changeKey(JSON.parse(readFileSync(join(folder, 'key.json'), 'utf8')).secret);
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

const ELECTION_MS = 10_000;
/** The first user of the service in the database. */
const SERVICE = { username: 'service', password: randomUUID() };
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
      await place.processes.roll({ env: settings });
      if (settings.MONGODB_URI !== undefined) place.env.MONGODB_URI = settings.MONGODB_URI;
      if (settings.WEBHOOK_SECRET_KEYS !== undefined) place.env.WEBHOOK_SECRET_KEYS = settings.WEBHOOK_SECRET_KEYS;
    } else if (block.kind === 'read') Object.assign(more, await settingsOf(block, env));
    else said = await runBlock(block, env);
    wrong.push(...((await rotation.after?.[block.kind]?.(place, said)) ?? []));
  }
  return wrong.map((what) => `${name}: ${what}`);
}

/** Starts the bucket. @returns the variables by which processes use it */
async function startBucket({ world, say }: Scene, folder: string) {
  const program = needed(await goTool(join(ROOT, 'scripts/lab/run/versitygw'), say));
  const s3 = await startS3Server({ program, folder, ...S3_ADMIN });
  writeFileSync(join(folder, 's3-root-access-key-id'), S3_ADMIN.accessKeyId);
  writeFileSync(join(folder, 's3-root-secret-access-key'), S3_ADMIN.secretAccessKey);
  const operator = { S3_BUCKET: BUCKET, S3_ENDPOINT: s3.endpoint, SECRETS: folder };
  await makeBucket(s3, BUCKET, { ...S3_FIRST, role: 'user' }, async () => {
    const script = [join(ROOT, 'deploy/provision/bucket.sh'), S3_FIRST.accessKeyId];
    const failure = await runTool('sh', script, { env: { ...process.env, ...operator } });
    if (failure !== undefined) throw new Error(`The policy of the bucket could not be set: ${failure}`);
  });
  world.atEnd(async () => {
    await s3.process.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    STORAGE_DIR: '',
    STORAGE_URL: '',
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: s3.endpoint,
    S3_FORCE_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: S3_FIRST.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_FIRST.secretAccessKey,
  };
  return { s3, env, operator };
}

async function rotateAll(scene: Scene<ReplicaSet>): Promise<Aftermath> {
  const { world, company, ledger, isChosen, say } = scene;
  const folder = temporaryFolder('rotate-');
  const { s3, env: bucket, operator } = await startBucket(scene, folder);
  const processes = await RollingProcesses.start(scene, { env: bucket });
  const users = new KeyUsers(scene, processes.url);
  await users.begin();
  const env = { ...world.database.env, ...operator, TENANT: company.id, API: `${processes.url}/developer/v1` };
  const place: Place = { scene, processes, s3, users, env, folder };
  const [lines, wrong]: [string[], string[]] = [[], []];
  for (const [name, rotation] of Object.entries(ROTATIONS)) {
    if (!isChosen(name)) continue;
    const from = ledger.seen.length;
    wrong.push(...(await rotate(place, name, rotation)));
    const seen = ledger.seen.slice(from);
    lines.push(`${name}: ${seen.filter(isFailed).length} of ${seen.length} requests failed.`);
    say(lines.at(-1) ?? '');
  }
  wrong.push(...(await users.end()));
  const left = await processes.end([...lines, users.line], wrong);
  return { ...left, judge: async () => users.missedEvents() };
}

/** The scenario. It takes minutes. */
export const rotation = surviving({
  name: 'rotate',
  about: 'Changes every secret under load, as the runbook says, while processes are replaced one by one.',
  finds: 'a step of the runbook after which a process cannot open what another one has sealed',
  defect: {
    file: 'handlers/data/page.ts',
    find: 'const imported = keys.map((key) =>',
    replace: 'const imported = keys.slice(0, 1).map((key) =>',
  },
  parts: Object.keys(ROTATIONS),
  database: async ({ say }) => {
    needMongosh();
    return new ReplicaSet(needed(await findMongod(say)), ELECTION_MS, 1, {
      key: randomBytes(48).toString('base64'),
      root: { username: 'administrator', password: randomUUID() },
      user: SERVICE,
      role: { createRole: 'service', privileges: [], roles: [{ role: 'readWrite', db: NAME }] },
    });
  },
  lanes: ROLLING_LANES,
  disturb: rotateAll,
});
