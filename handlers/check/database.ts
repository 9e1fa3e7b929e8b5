/** Checks of the database: whether it is reached, what it is, its members, its clock, and what its user may do. */
import { randomBytes } from 'node:crypto';
import { UnsupportedEngine } from '../data/engine.ts';
import { collectionNames } from '../data/store.ts';
import { whyAway } from '../data/store-away.ts';
import { JOBS_COLLECTION } from '../jobs/scheduler.ts';
import { machineMs, monotonicMs } from '../runtime/clock.ts';
import type { CheckContext, DeploymentCheck } from './check.ts';
import type { CheckedDatabase, MemberHello } from './connection.ts';
import { doubtful, fine, type Judgement, reasonFor, skipped, wrong } from './finding.ts';

const LOOPBACK = /^(127\.|localhost|\[?::1|%2F)/i;

async function reach({ database }: CheckContext): Promise<Judgement> {
  try {
    const { engine } = await database.open();
    return fine(`answers: MongoDB ${engine.version}, ${engine.topology}`);
  } catch (error) {
    if (error instanceof UnsupportedEngine) return wrong(error.message, 'Use MongoDB 6.0 or newer.');
    return (await otherSet(database)) ?? unreached(error);
  }
}

function unreached(error: unknown): Judgement {
  const why = whyAway(error);
  const byWhy: readonly (readonly [RegExp, string])[] = [
    [/AuthenticationFailed/, 'The user, its password or its `authSource` in MONGODB_URI is wrong.'],
    [
      /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/,
      'Its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS or `tlsCAFile`.',
    ],
    [/ENOTFOUND|EAI_AGAIN|ESERVFAIL/, 'The name of the server is not found: see MONGODB_URI and DNS.'],
  ];
  const todo = byWhy.find(([words]) => words.test(why))?.[1];
  return wrong(
    `is not reached: ${why}`,
    todo ?? 'See whether it runs, and whether MONGODB_URI and the network lead to it.',
  );
}

/** A set of another name looks to the driver as if nobody were there. */
async function otherSet(database: CheckedDatabase): Promise<Judgement | undefined> {
  const wanted = database.setName();
  if (wanted === undefined) return undefined;
  for (const host of database.hosts()) {
    const found = await database.hello(host).catch(() => undefined);
    if (found === undefined || found.setName === wanted) continue;
    if (found.setName === undefined)
      return wrong(`${host} answers, but is a member of no replica set`, `Initiate it as ${wanted}.`);
    return wrong(
      `${host} is a member of the replica set ${found.setName}, but MONGODB_URI says replicaSet=${wanted}`,
      `Write replicaSet=${found.setName}.`,
    );
  }
  return undefined;
}

async function topology({ database }: CheckContext): Promise<Judgement> {
  const { engine } = await database.opened();
  if (engine.topology === 'standalone') {
    return wrong(
      'is a standalone server: nobody takes over when it stops, and lists may miss rows that move while they are read',
      'Start it with --replSet and initiate the set; one member is enough.',
    );
  }
  if (engine.topology === 'embedded') {
    return doubtful('is the embedded database, for trying out on one machine', 'Use a replica set in production.');
  }
  return fine(`is a ${engine.topology}`);
}

/** A follower that is further behind than this, in milliseconds, is not counted on. */
const LAG_MS = 10_000;

interface AskedMember {
  readonly host: string;
  readonly hello?: MemberHello;
  /** How far its clock is ahead of this machine's, in milliseconds. */
  readonly aheadMs: number;
}

/** The members of the replica set, each asked by itself. */
async function membersOf({ database }: CheckContext): Promise<readonly AskedMember[] | undefined> {
  const { store, engine } = await database.opened();
  if (engine.topology !== 'replica set') return undefined;
  const { hosts = [], passives = [], arbiters = [] } = (await store.db.command({ hello: 1 })) as unknown as MemberHello;
  const asked = [...hosts, ...passives, ...arbiters].map(async (host): Promise<AskedMember> => {
    const fromMs = monotonicMs();
    const hello = await database.hello(host).catch(() => undefined);
    const halfMs = (monotonicMs() - fromMs) / 2;
    return { host, ...(hello && { hello }), aheadMs: hello ? hello.localTime.getTime() + halfMs - machineMs() : 0 };
  });
  return Promise.all(asked);
}

async function members(context: CheckContext): Promise<Judgement> {
  const all = await membersOf(context);
  if (all === undefined) return skipped('only a replica set has members that a check can ask');
  const primary = all.find(({ hello }) => hello?.isWritablePrimary)?.hello;
  const silent = all.filter(({ hello }) => hello === undefined).map(({ host }) => host);
  const behind = all.filter(({ hello }) => lagOf(primary, hello) > LAG_MS).map(({ host }) => host);
  const withData = all.filter(({ hello }) => hello && !hello.arbiterOnly).length;
  const majority = Math.floor(all.length / 2) + 1;
  if (primary === undefined)
    return wrong(
      'no member that answers is primary',
      'See why the set elects none, or why this machine does not reach it.',
    );
  if (silent.length > 0) {
    const isLast = all.length - silent.length <= majority;
    return doubtful(
      `${silent.join(', ')} of ${all.length} members does not answer here${isLast ? ': when one more is away, writes stop' : ''}`,
      'Start it, or let this machine reach it.',
    );
  }
  if (behind.length > 0)
    return doubtful(`${behind.join(', ')} is more than ${LAG_MS / 1_000} s behind`, 'See its load and its network.');
  if (all.length === 1)
    return doubtful('there is one member: nobody takes over when it is away', 'Add two more for production.');
  if (withData - 1 < majority) {
    return doubtful(
      `${withData} members hold data: when one of them is away, writes stop`,
      'Have three that hold data.',
    );
  }
  return fine(`${all.length} members answer, ${withData} hold data, one is primary`);
}

function lagOf(primary: MemberHello | undefined, member: MemberHello | undefined): number {
  const [its, of] = [primary?.lastWrite?.lastWriteDate, member?.lastWrite?.lastWriteDate];
  return member?.secondary && its && of ? its.getTime() - of.getTime() : 0;
}

/** Beyond the first a difference is logged by every process, beyond the second none of them is ready. */
const CLOCK_MS = { differs: 1_000, wrong: 60_000 };

async function clock(context: CheckContext): Promise<Judgement> {
  const { aheadMs } = await context.database.opened();
  const others = ((await membersOf(context)) ?? []).filter(({ hello }) => hello !== undefined);
  const differences = [aheadMs, ...others.map((member) => member.aheadMs)];
  const furthest = differences.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most));
  const apart = Math.max(...differences) - Math.min(...differences);
  const words = `${(Math.abs(furthest) / 1_000).toFixed(1)} s ${furthest > 0 ? 'behind' : 'ahead of'} the database`;
  if (Math.abs(furthest) > CLOCK_MS.wrong) {
    return wrong(`the clock of this machine is ${words}: no process is ready here`, 'Set both by NTP.');
  }
  if (Math.abs(furthest) > CLOCK_MS.differs)
    return doubtful(`the clock of this machine is ${words}`, 'Set both by NTP.');
  if (apart > CLOCK_MS.differs) {
    return doubtful(
      `the members' clocks are ${(apart / 1_000).toFixed(1)} s apart: times jump when another one is primary`,
      'Set them by NTP.',
    );
  }
  return fine(`the clock of this machine is within ${CLOCK_MS.differs / 1_000} s of the database's`);
}

const SCRATCH = 'check_scratch_';
/** What an earlier check was killed over is removed when it is this old, in milliseconds. */
const LEFT_OVER_MS = 5 * 60_000;
/** A write that takes longer than this is not what the service is made for, in milliseconds. */
const SLOW_MS = 1_000;

/** Writes, indexes and removes in a collection of its own, with the write concern of the service. */
async function writes({ database, undo }: CheckContext): Promise<Judgement> {
  const { store } = await database.opened();
  const names = await store.db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of names.filter((each) => each.name.startsWith(SCRATCH))) {
    const madeMs = Number.parseInt(name.slice(SCRATCH.length), 36);
    if (machineMs() - madeMs > LEFT_OVER_MS) await store.db.dropCollection(name);
  }
  const scratch = store.db.collection<{ _id: string; n: number }>(
    `${SCRATCH}${machineMs().toString(36)}_${randomBytes(4).toString('hex')}`,
  );
  undo(`the collection ${scratch.collectionName}`, () => scratch.drop());
  let doing = 'insert';
  try {
    // The first one also makes the collection.
    await scratch.insertOne({ _id: 'first', n: 0 });
    const fromMs = monotonicMs();
    await scratch.insertOne({ _id: 'a', n: 1 });
    const tookMs = Math.round(monotonicMs() - fromMs);
    const rest: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['find', () => scratch.findOne({ _id: 'a' })],
      ['update', () => scratch.updateOne({ _id: 'a' }, { $inc: { n: 1 } })],
      ['createIndex', () => scratch.createIndex({ n: 1 }, { name: 'n' })],
      ['listIndexes', () => scratch.indexes()],
      ['dropIndex', () => scratch.dropIndex('n')],
      ['remove', () => scratch.deleteOne({ _id: 'a' })],
    ];
    for (const [action, run] of rest) {
      doing = action;
      await run();
    }
    const words = `a write that a majority has in its journal took ${tookMs} ms`;
    return tookMs > SLOW_MS ? doubtful(words, 'See the load, the disks and the network of the members.') : fine(words);
  } catch (error) {
    return wrong(
      `${doing} failed in a collection of its own: ${reasonFor(error)}`,
      'See the rights of the user, and the log of the database.',
    );
  }
}

/** What the service does with each of its collections. */
const ACTIONS = ['find', 'insert', 'update', 'remove', 'createIndex', 'listIndexes', 'dropIndex'];

interface Privilege {
  readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean };
  readonly actions: readonly string[];
}

async function rights({ database }: CheckContext): Promise<Judgement> {
  const { store, engine } = await database.opened();
  if (engine.topology === 'embedded') return skipped('the embedded database serves its owner only');
  const { authInfo } = await store.db.command({ connectionStatus: 1, showPrivileges: true });
  const privileges: readonly Privilege[] = authInfo.authenticatedUserPrivileges ?? [];
  if (authInfo.authenticatedUsers.length === 0) {
    if (database.hosts().every((host) => LOOPBACK.test(host))) return fine('asks for no user, on this machine only');
    return doubtful(
      'asks for no user: whoever reaches it reads and changes everything',
      'Switch authorisation on, with a user of its own.',
    );
  }
  const { databaseName } = store.db;
  const isGiven = (collection: string, action: string) =>
    privileges.some(
      ({ resource, actions }) =>
        (resource.anyResource ||
          ((resource.db === '' || resource.db === databaseName) &&
            [collection, ''].includes(resource.collection ?? '-'))) &&
        (actions.includes(action) || actions.includes('anyAction')),
    );
  const missing = [...collectionNames, JOBS_COLLECTION].flatMap((collection) =>
    ACTIONS.filter((action) => !isGiven(collection, action)).map((action) => ({ collection, action })),
  );
  if (!isGiven('', 'listCollections')) missing.push({ collection: 'the database', action: 'listCollections' });
  if (missing.length === 0) return fine(`the user has all rights that the service needs on ${databaseName}`);
  const byAction = Map.groupBy(missing, ({ action }) => action);
  const said = [...byAction].map(
    ([action, at]) => `${action} (on ${at.length === 1 ? at[0]?.collection : `${at.length} collections`})`,
  );
  return wrong(`the user lacks ${said.join(', ')}`, `Give it the role readWrite on ${databaseName}.`);
}

export const databaseChecks: readonly DeploymentCheck[] = [
  { name: 'database.reach', about: 'MONGODB_URI leads to a database of a supported version', run: reach },
  { name: 'database.topology', about: 'it is a replica set or a sharded cluster', run: topology },
  {
    name: 'database.members',
    about: 'the members answer, one is primary, a majority is left when one is away',
    run: members,
  },
  { name: 'database.clock', about: 'the clocks of this machine and of all members agree', run: clock },
  {
    name: 'database.writes',
    about: 'writes are acknowledged by a majority and journalled; indexes can be made',
    run: writes,
  },
  { name: 'database.rights', about: 'the user may do what the service does with each collection', run: rights },
];
