/** The database as checks reach it: the store that the processes use, and each member by itself. */
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { engineOf } from '../data/engine.ts';
import { clientOptions, collectionsOf, type Store } from '../data/store.ts';
import { followStoreClock } from '../data/store-clock.ts';
import type { Config } from '../runtime/config.ts';
import { CheckSkip } from './finding.ts';

/** The longest wait for a server of the database, in milliseconds. */
const REACH_MS = 2_000;

/** The answer of a server to `hello`; it tells this without a user. */
export interface MemberHello {
  readonly setName?: string;
  readonly hosts?: readonly string[];
  readonly passives?: readonly string[];
  readonly arbiters?: readonly string[];
  readonly isWritablePrimary: boolean;
  readonly secondary?: boolean;
  readonly arbiterOnly?: boolean;
  readonly localTime: Date;
  readonly lastWrite?: { readonly lastWriteDate: Date };
}

export type CheckedDatabase = ReturnType<typeof checkedDatabase>;

/** Parts of a connection string that say how to connect, and nothing about who does. */
const HOW = /^(tls|ssl)/i;

/** A connection string for one of its servers alone, without a user. */
export function memberUri(uri: string, host: string): string {
  const given = (uri.split('?')[1] ?? '').split('&').filter((part) => HOW.test(part));
  const tls = uri.startsWith('mongodb+srv:') && !given.some((part) => /^(tls|ssl)=/i.test(part)) ? ['tls=true'] : [];
  return `mongodb://${host}/?${['directConnection=true', ...given, ...tls].join('&')}`;
}

/** The database of a configuration; nothing is opened yet. */
export function checkedDatabase({ MONGODB_URI: uri, MONGODB_DATABASE: name, DATABASE_TIMEOUT_MS: timeoutMs }: Config) {
  const limits = { ...clientOptions(timeoutMs, REACH_MS), appName: 'developer-api check' } satisfies MongoClientOptions;
  let opening: ReturnType<typeof openOnce> | undefined;
  let store: Store | undefined;

  async function openOnce() {
    store = collectionsOf(new MongoClient(uri, limits), name);
    await store.client.connect();
    const engine = await engineOf(store.client);
    /** How far its clock is ahead of this machine's. Times are compared with the database's, as in the service. */
    const aheadMs = await followStoreClock(store);
    return { store, engine, aheadMs };
  }

  /** Opens it once. @throws the driver's error */
  function open() {
    opening ??= openOnce();
    return opening;
  }

  return {
    open,
    /** The same for whoever only uses it. @throws CheckSkip where it cannot be reached, which a check of its own explains */
    opened: () =>
      open().catch(() => {
        throw new CheckSkip('the database is not reached');
      }),
    /** What the connection string says; no `hosts` if it names a record of DNS. */
    get options() {
      const { hosts, ...said } = new MongoClient(uri, limits).options;
      return { ...said, hosts: hosts.map((host) => host.toString()) };
    },
    /** Asks one server what it is. @throws the driver's error */
    async hello(host: string): Promise<MemberHello> {
      const reach = { serverSelectionTimeoutMS: REACH_MS, connectTimeoutMS: REACH_MS };
      const client = new MongoClient(memberUri(uri, host), reach);
      try {
        return (await client.db('admin').command({ hello: 1 })) as MemberHello;
      } finally {
        await client.close();
      }
    },
    async close() {
      await opening?.catch(() => {});
      await store?.close();
    },
  };
}
