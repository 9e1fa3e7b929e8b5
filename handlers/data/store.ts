/**
 * The store: every collection by its name, how it is opened, and how its indexes are made. Rows use the names of the
 * contract. Ids are random lower-case UUIDs (version 4); the estimate of `total_count` relies on their even
 * distribution. Absent text is `''`, as on the wire; `null` stands for an instant that has not come.
 */
import { channel } from 'node:diagnostics_channel';
import { type Collection, type Db, MongoClient, type MongoClientOptions, MongoServerError } from 'mongodb';
import { endCommandsOfClosedConnections } from './closed-connections.ts';
import type { CollectionDeclaration } from './collection.ts';
import { acceptedSignatures } from './collections/accepted_signatures.ts';
import { apiKeys } from './collections/api_keys.ts';
import { auditEntries } from './collections/audit_entries.ts';
import { deliveries } from './collections/deliveries.ts';
import { departments } from './collections/departments.ts';
import { deploymentSecrets } from './collections/deployment_secrets.ts';
import { documentCategories } from './collections/document_categories.ts';
import { documentTemplateVersions } from './collections/document_template_versions.ts';
import { documentTemplates } from './collections/document_templates.ts';
import { documentTypes } from './collections/document_types.ts';
import { documents } from './collections/documents.ts';
import { employees } from './collections/employees.ts';
import { erasures } from './collections/erasures.ts';
import { externalBindings } from './collections/external_bindings.ts';
import { files } from './collections/files.ts';
import { idempotencyClaims } from './collections/idempotency_claims.ts';
import { ingestChunks } from './collections/ingest_chunks.ts';
import { ingestOutcomes } from './collections/ingest_outcomes.ts';
import { ingestRequests } from './collections/ingest_requests.ts';
import { ingestSequences } from './collections/ingest_sequences.ts';
import { jobTitles } from './collections/job_titles.ts';
import { locations } from './collections/locations.ts';
import { loginMethods } from './collections/login_methods.ts';
import { organizations } from './collections/organizations.ts';
import { persons } from './collections/persons.ts';
import { processes } from './collections/processes.ts';
import { rateLimits } from './collections/rate_limits.ts';
import { refusedCalls } from './collections/refused_calls.ts';
import { storeVersions } from './collections/store_versions.ts';
import { tenants } from './collections/tenants.ts';
import { trustAnchors } from './collections/trust_anchors.ts';
import { unclaimedObjects } from './collections/unclaimed_objects.ts';
import { users } from './collections/users.ts';
import { webhookEndpoints } from './collections/webhook_endpoints.ts';
import { countConnections, timeCommands } from './command-metrics.ts';
import { indexQuorum, UnsupportedEngine } from './engine.ts';
import { type Primary, watchPrimary } from './write-timeout.ts';

export const collections = {
  tenants,
  users,
  api_keys: apiKeys,
  employees,
  persons,
  departments,
  job_titles: jobTitles,
  locations,
  organizations,
  login_methods: loginMethods,
  document_categories: documentCategories,
  document_types: documentTypes,
  document_templates: documentTemplates,
  document_template_versions: documentTemplateVersions,
  documents,
  files,
  accepted_signatures: acceptedSignatures,
  unclaimed_objects: unclaimedObjects,
  idempotency_claims: idempotencyClaims,
  trust_anchors: trustAnchors,
  webhook_endpoints: webhookEndpoints,
  deliveries,
  external_bindings: externalBindings,
  ingest_requests: ingestRequests,
  ingest_chunks: ingestChunks,
  ingest_sequences: ingestSequences,
  ingest_outcomes: ingestOutcomes,
  rate_limits: rateLimits,
  deployment_secrets: deploymentSecrets,
  store_versions: storeVersions,
  refused_calls: refusedCalls,
  processes,
  audit_entries: auditEntries,
  erasures,
} as const;

export type CollectionName = keyof typeof collections;

type Rows = { readonly [Name in CollectionName]: NonNullable<(typeof collections)[Name]['row']> };

export type RowOf<Name extends CollectionName> = Rows[Name];

export const declarationOf = (name: CollectionName): CollectionDeclaration<unknown> => collections[name];

export const collectionNames = Object.keys(collections) as CollectionName[];

/** The collections that a cluster may shard; all others stay whole. */
export const SHARDABLE = collectionNames.filter((name) => declarationOf(name).shardKey !== undefined);

export type { Collection, Filter, FindOptions, UpdateFilter as Update } from 'mongodb';

export type Store = { readonly [Name in CollectionName]: Collection<Rows[Name]> } & {
  readonly client: MongoClient;
  readonly db: Db;
  readonly primary: Primary;
  close(): Promise<void>;
};

/**
 * A server counts the database as away after this long without a sign of life, in milliseconds. A repeated read may
 * already have waited half a second for the driver's next check; both together must stay below two seconds.
 */
const REACH_MS = 1_400;
/** The same of a service that is told to wait longer for an answer than by default: a share of that time. */
const REACH_SHARE = 0.28;

/** The longest wait of a request for its writes, in waits for a connection: its refusal comes within four seconds. */
const PATIENCE_REACHES = 2.5;

/**
 * How often the driver checks the database, in milliseconds; the driver allows no shorter time. A database that accepts
 * connections but does not answer is noticed after this plus {@link REACH_MS}, and given up after REACH_MS more.
 */
const LOOK_EVERY_MS = 500;

/**
 * A write that no majority has after this share of the longest wait for an answer is refused: with the wait for a
 * primary before it, that stays below four seconds. A member that followed a frozen primary takes longer to follow the
 * next one.
 */
const MAJORITY_SHARE = 0.35;

/**
 * How every client of the store connects. Write and read concerns are set here, because options override the connection
 * string. A write is acknowledged once a majority has it in its journal; reads go to the primary, so they see it.
 * @param timeoutMs longest wait for one answer of the database
 * @param reachMs longest wait for a connection, and for the answer to a check whether the database is there
 */
export function clientOptions(timeoutMs: number, reachMs = REACH_MS): MongoClientOptions {
  return {
    monitorCommands: true,
    // As separate options: a part in the connection string would override one object that holds all of them.
    w: 'majority',
    journal: true,
    wtimeoutMS: Math.floor(MAJORITY_SHARE * timeoutMs),
    readPreference: 'primary',
    readConcernLevel: 'local',
    retryReads: true,
    retryWrites: true,
    socketTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    serverSelectionTimeoutMS: reachMs,
    connectTimeoutMS: reachMs,
    heartbeatFrequencyMS: LOOK_EVERY_MS,
    maxPoolSize: 50,
  };
}

/** How a process of the service connects. @param timeoutMs longest wait for one answer of the database */
export const serviceOptions = (timeoutMs: number) =>
  clientOptions(timeoutMs, Math.max(REACH_MS, REACH_SHARE * timeoutMs));

/**
 * Connects and returns the collections. Nothing is written; call {@link createIndexes} once at start.
 * @throws MongoServerSelectionError when nothing answers there
 */
export async function openStore(uri: string, database: string, timeoutMs = 60_000, reachMs?: number): Promise<Store> {
  const store = collectionsOf(new MongoClient(uri, clientOptions(timeoutMs, reachMs)), database);
  try {
    await store.client.connect();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Tells of each client before it connects, so that who watches the database needs no hand in the driver. */
export const clients = channel('developer-api.clients');

/** The collections of a client that has not begun to connect. */
export function collectionsOf(client: MongoClient, database: string): Store {
  clients.publish(client);
  endCommandsOfClosedConnections(client);
  timeCommands(client);
  countConnections(client);
  const db = client.db(database);
  const collections = Object.fromEntries(collectionNames.map((name) => [name, db.collection(name)]));
  const primary = watchPrimary(client, PATIENCE_REACHES * client.options.serverSelectionTimeoutMS);
  return { ...collections, client, db, primary, close: () => client.close() } as unknown as Store;
}

/** What MongoDB says where there is another index of the same key, or of the same name. */
const OTHER_INDEX: readonly unknown[] = [85, 86];

/**
 * Creates the missing indexes of all collections; a second call changes nothing.
 * @returns the indexes that differ from what is declared, where no promise rests on them
 * @throws UnsupportedEngine naming one that is not unique and must be
 */
export async function createIndexes(store: Store): Promise<string[]> {
  const quorum = await indexQuorum(store.client);
  const differing: string[] = [];
  // All at a time: a start with all indexes in place would otherwise wait for an answer for each collection in turn.
  await Promise.all(
    collectionNames.map(async (name) => {
      const wanted = collections[name].indexes.map(({ key, options }) => ({ ...options, key }));
      const make = (indexes: typeof wanted) => store.db.collection(name).createIndexes(indexes, quorum);
      try {
        if (wanted.length > 0) await make(wanted);
      } catch (error) {
        if (!isOtherIndex(error)) throw error;
        for (const one of wanted) {
          const found = await make([one]).catch((each) => (isOtherIndex(each) ? 'other' : Promise.reject(each)));
          if (found !== 'other') continue;
          const index = `${name} ${JSON.stringify(one.key)}`;
          if (one.unique) throw new UnsupportedEngine(`MONGODB_URI: the index ${index} must be unique, and is not`);
          differing.push(index);
        }
      }
    }),
  );
  return differing;
}

const isOtherIndex = (error: unknown) => error instanceof MongoServerError && OTHER_INDEX.includes(error.code);
