/** Checks of the database: whether it is reached, what it is, its members, its clock, and what its user may do. */
import { randomUUID } from 'node:crypto';
import { MongoServerError, type Timestamp } from 'mongodb';
import { whyAway } from '../data/database-unavailable.ts';
import { UnsupportedEngine } from '../data/engine.ts';
import { collectionNames } from '../data/store.ts';
import { JOBS_COLLECTION } from '../jobs/scheduler.ts';
import { machineMs, monotonicMs } from '../runtime/clock.ts';
import { certificateAt } from './certificate.ts';
import type { CheckContext, DeploymentCheck } from './check.ts';
import type { CheckedDatabase, MemberHello } from './connection.ts';
import {
  aheadWords,
  type CheckVerdict,
  doubtful,
  fine,
  type Judgement,
  LOOPBACK,
  reasonFor,
  skipped,
  timed,
  wrong,
} from './finding.ts';

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
  const { replicaSet: wanted, hosts } = database.options;
  if (!wanted) return undefined;
  for (const host of hosts) {
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

const isLocal = ({ options: { hosts } }: CheckedDatabase) => hosts.every((host) => LOOPBACK.test(host));

/** A follower that is further behind than this, in milliseconds, is not counted on. */
const LAG_MS = 10_000;

/** The members of the replica set, each asked by itself. */
async function membersOf({ database }: CheckContext) {
  const { store, engine } = await database.opened();
  if (engine.topology !== 'replica set') return undefined;
  const { hosts = [], passives = [], arbiters = [] } = (await store.db.command({ hello: 1 })) as unknown as MemberHello;
  const asked = [...hosts, ...passives, ...arbiters].map(async (host, nth) => {
    const fromMs = monotonicMs();
    const hello = await database.hello(host).catch(() => undefined);
    const halfMs = (monotonicMs() - fromMs) / 2;
    /** How far its clock is ahead of this machine's. */
    const aheadMs = hello ? hello.localTime.getTime() + halfMs - machineMs() : 0;
    return { host, hello, mayBePrimary: nth < hosts.length, aheadMs };
  });
  return Promise.all(asked);
}

async function members(context: CheckContext): Promise<Judgement> {
  const all = await membersOf(context);
  if (all === undefined) return skipped('only a replica set has members that a check can ask');
  const primary = all.find(({ hello }) => hello?.isWritablePrimary)?.hello;
  const silent = all.filter(({ hello }) => hello === undefined).map(({ host }) => host);
  const behind = all.filter(({ hello }) => lagOf(primary, hello) > LAG_MS).map(({ host }) => host);
  const named = new Set(context.database.options.hosts);
  const eligible = all.filter(({ mayBePrimary }) => mayBePrimary).map(({ host }) => host);
  const unnamed = named.size === 0 ? [] : eligible.filter((host) => !named.has(host)).toSorted();
  const withData = all.filter(({ hello }) => hello && !hello.arbiterOnly).length;
  const majority = Math.floor(all.length / 2) + 1;
  if (primary === undefined)
    return timed(
      wrong('no member that answers is primary', 'See why the set elects none, or why this machine does not reach it.'),
    );
  if (silent.length > 0) {
    const isLast = all.length - silent.length <= majority;
    const words = `${silent.join(', ')} of ${all.length} members does not answer here${isLast ? ': when one more is away, writes stop' : ''}`;
    return timed(doubtful(words, 'Start it, or let this machine reach it.'));
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
  if (eligible.length === 1) {
    return doubtful(
      `only ${eligible[0]} may become primary: when it is away, writes stop`,
      'Give another member a priority above 0.',
    );
  }
  if (unnamed.length > 0) {
    return doubtful(
      `MONGODB_URI does not name ${unnamed.join(', ')}: a process cannot start while those that it names are away`,
      'Name every member, as the replica set names it.',
    );
  }
  return fine(`${all.length} members answer, ${withData} hold data, one is primary`);
}

function lagOf(primary: MemberHello | undefined, member: MemberHello | undefined): number {
  const [its, of] = [primary?.lastWrite?.lastWriteDate, member?.lastWrite?.lastWriteDate];
  return member?.secondary && its && of ? its.getTime() - of.getTime() : 0;
}

/** A member that is away for longer than the oplog reaches back must be made anew, from a copy of everything. */
const LEAST_HOURS = 24;
const UNAUTHORIZED = 13;

/** Beyond the first a difference is logged by every process, beyond the second none of them is ready. */
const CLOCK_MS = { differs: 1_000, wrong: 60_000 };

/** A write that takes longer than this is not what the service is made for, in milliseconds. */
const SLOW_MS = 1_000;

/** What the service does with each of its collections. */
const ACTIONS = ['find', 'insert', 'update', 'remove', 'createIndex', 'listIndexes', 'dropIndex'];

interface Privilege {
  readonly resource: Readonly<
    Partial<Record<'anyResource' | 'cluster', boolean> & Record<'db' | 'collection', string>>
  >;
  readonly actions: readonly string[];
}

export const databaseChecks: readonly DeploymentCheck[] = [
  {
    name: 'database.reach',
    about: 'MONGODB_URI leads to a database of a supported version',
    async run({ database }) {
      try {
        const { engine } = await database.open();
        return fine(`answers: MongoDB ${engine.version}, ${engine.topology}`);
      } catch (error) {
        if (error instanceof UnsupportedEngine) return wrong(error.message, 'Use MongoDB 6.0 or newer.');
        return (await otherSet(database)) ?? unreached(error);
      }
    },
  },
  {
    name: 'database.encryption',
    about: 'the way to it is encrypted, and its certificates are verified and do not end soon',
    async run({ database, signal }) {
      const { tls, rejectUnauthorized, checkServerIdentity, hosts } = database.options;
      if (rejectUnauthorized === false || checkServerIdentity !== undefined) {
        return wrong(
          'whoever answers in its place is believed: MONGODB_URI says that its certificate is not verified',
          'Remove tlsInsecure and tlsAllowInvalid…, and name its authority in tlsCAFile.',
        );
      }
      if (tls) {
        const { store } = await database.opened();
        // The connection string may name some of them, or a record of DNS.
        const { hosts: members = [] } = (await store.db.command({ hello: 1 })) as Partial<MemberHello>;
        const names = [...new Set([...hosts, ...members])];
        const all = await Promise.all(names.map((host) => certificateAt(new URL(`https://${host}`), signal, true)));
        const found = (worst: CheckVerdict) => all.find(({ verdict }) => verdict === worst);
        return found('FAIL') ?? found('WARN') ?? fine('is encrypted, and verified');
      }
      if (isLocal(database)) return fine('stays on this machine');
      return doubtful('is not encrypted: personal data travels in the open', 'Add tls=true to MONGODB_URI.');
    },
  },
  {
    name: 'database.topology',
    about: 'it is a replica set or a sharded cluster',
    async run({ database }) {
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
    },
  },
  {
    name: 'database.members',
    about: 'the members answer, are named, one is primary, another may become it, and a majority is left without one',
    run: members,
  },
  {
    name: 'database.oplog',
    about: 'a member may be away for a day',
    async run({ database }) {
      const { store, engine } = await database.opened();
      if (engine.topology !== 'replica set') return skipped('only a member of a replica set shows its oplog');
      const entries = store.client.db('local').collection<{ ts: Timestamp; o?: { msg?: string } }>('oplog.rs');
      const at = (order: 1 | -1) => entries.find({}, { sort: { $natural: order }, limit: 1 }).toArray();
      try {
        const [[first], [last]] = await Promise.all([at(1), at(-1)]);
        if (first === undefined || last === undefined) return skipped('the oplog is empty');
        if (first.o?.msg === 'initiating set') return fine('the oplog reaches back to the beginning of the set');
        const hours = Math.floor((last.ts.t - first.ts.t) / 3_600);
        const words = `the oplog reaches ${hours < 1 ? 'less than an hour' : `${hours} hours`} back`;
        if (hours >= LEAST_HOURS) return fine(words);
        return doubtful(
          words,
          'Enlarge it (replSetResizeOplog), unless this member was made within a day: a member may be away for a day then.',
        );
      } catch (error) {
        if (!(error instanceof MongoServerError && error.code === UNAUTHORIZED)) throw error;
        return skipped('the user may not read it: deploy/provision/role.json says how');
      }
    },
  },
  {
    name: 'database.clock',
    about: 'the clocks of this machine and of all members agree',
    async run(context) {
      const { aheadMs } = await context.database.opened();
      const others = ((await membersOf(context)) ?? []).filter(({ hello }) => hello !== undefined);
      const differences = [aheadMs, ...others.map((member) => member.aheadMs)];
      const furthest = differences.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most));
      const apart = Math.max(...differences) - Math.min(...differences);
      const words = `${aheadWords(-furthest)} the database`;
      if (Math.abs(furthest) > CLOCK_MS.wrong) {
        return wrong(`the clock of this machine is ${words}: no process is ready here`, 'Set both by NTP.');
      }
      if (Math.abs(furthest) > CLOCK_MS.differs)
        return timed(doubtful(`the clock of this machine is ${words}`, 'Set both by NTP.'));
      if (apart > CLOCK_MS.differs) {
        const said = `the members' clocks are ${(apart / 1_000).toFixed(1)} s apart: times jump when another one is primary`;
        return timed(doubtful(said, 'Set them by NTP.'));
      }
      return fine(`the clock of this machine is within ${CLOCK_MS.differs / 1_000} s of the database's`);
    },
  },
  {
    name: 'database.writes',
    about: 'writes are acknowledged by a majority and journalled; indexes can be made',
    /**
     * Writes a row of its own with the write concern of the service; each single right is judged by the next check. The
     * database removes a row of `rate_limits` itself, if the check is killed over it.
     */
    async run({ database, undo }) {
      const { store } = await database.opened();
      const rows = store.rate_limits;
      const _id = `check:${randomUUID()}`;
      undo(`the row ${_id} of rate_limits`, () => rows.deleteOne({ _id }));
      try {
        // This makes no index, but the collection where it is missing. To make another one waits for all members.
        await rows.createIndex({ _id: 1 }, { name: '_id_' });
        const fromMs = monotonicMs();
        await rows.insertOne({ _id, tat: 0, at: 0, granted: 0, expires_at: new Date(machineMs()) });
        const tookMs = Math.round(monotonicMs() - fromMs);
        await rows.deleteOne({ _id });
        const words = `a write that a majority has in its journal took ${tookMs} ms`;
        if (tookMs <= SLOW_MS) return fine(words);
        return timed(doubtful(words, 'See the load, the disks and the network of the members.'));
      } catch (error) {
        return wrong(
          `failed in rate_limits: ${reasonFor(error)}`,
          'See the rights of the user, and the log of the database.',
        );
      }
    },
  },
  {
    name: 'database.rights',
    about: 'the user may do what the service does with each collection, and nothing elsewhere',
    async run({ database }) {
      const { store, engine } = await database.opened();
      if (engine.topology === 'embedded') return skipped('the embedded database serves its owner only');
      const { authInfo } = await store.db.command({ connectionStatus: 1, showPrivileges: true });
      const privileges: readonly Privilege[] = authInfo.authenticatedUserPrivileges ?? [];
      if (authInfo.authenticatedUsers.length === 0) {
        if (isLocal(database)) return fine('asks for no user, on this machine only');
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
      if (missing.length === 0) {
        // The oplog is read there.
        const isExpected = ({ resource: { db }, actions }: Privilege) =>
          db === databaseName || (db === 'local' && String(actions) === 'find');
        if (privileges.every(isExpected))
          return fine(`the user has all rights that the service needs on ${databaseName}, and none elsewhere`);
        return doubtful(
          `the user has rights beyond ${databaseName}`,
          'Give the service a user of its own, with deploy/provision/role.json.',
        );
      }
      const byAction = Map.groupBy(missing, ({ action }) => action);
      const said = [...byAction].map(
        ([action, at]) => `${action} (on ${at.length === 1 ? at[0]?.collection : `${at.length} collections`})`,
      );
      return wrong(`the user lacks ${said.join(', ')}`, `Give it the role readWrite on ${databaseName}.`);
    },
  },
];
