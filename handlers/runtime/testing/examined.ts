/** What a database examines for the commands that a client sends it: asked of the database itself, by `explain`. */
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { clientOptions, collectionsOf, type Store } from '../store.ts';

/** The commands that look for rows, with the fields that decide what they examine. */
const PLANNED: Readonly<Record<string, readonly string[]>> = {
  find: ['filter', 'sort', 'projection', 'hint', 'skip', 'limit', 'let'],
  count: ['query', 'limit', 'skip', 'hint'],
  distinct: ['key', 'query'],
  aggregate: ['pipeline', 'hint', 'let'],
  update: ['updates'],
  delete: ['deletes'],
  findAndModify: ['query', 'sort', 'update', 'remove', 'new', 'fields', 'upsert', 'hint'],
};

/** A command as it was sent, without what belongs to the connection. */
export interface Sent {
  readonly name: string;
  readonly collection: string;
  readonly body: Document;
}

/** A store whose commands are noted. */
export interface WatchedStore {
  readonly store: Store;
  /** What was sent since this was last asked. */
  take(): Sent[];
}

/** Connects as {@link openStore} does, and notes every command that looks for rows. */
export async function openWatched(uri: string, database: string, timeoutMs: number): Promise<WatchedStore> {
  const client = new MongoClient(uri, { ...clientOptions(timeoutMs, timeoutMs), monitorCommands: true });
  let sent: Sent[] = [];
  client.on('commandStarted', ({ commandName, command, databaseName }: CommandStartedEvent) => {
    if (databaseName === database) sent.push(...parts(commandName, command));
  });
  await client.connect();
  return {
    store: collectionsOf(client, database),
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}

/** The command in single steps: a bulk write has several. */
function parts(name: string, command: Document): Sent[] {
  const kept = PLANNED[name];
  if (kept === undefined) return [];
  const collection = String(command[name]);
  const body = Object.fromEntries(kept.filter((key) => command[key] !== undefined).map((key) => [key, command[key]]));
  const list: 'updates' | 'deletes' | undefined =
    name === 'update' ? 'updates' : name === 'delete' ? 'deletes' : undefined;
  if (list === undefined) return [{ name, collection, body }];
  return (body[list] as Document[]).map((step) => ({ name, collection, body: { [list]: [step] } }));
}

/** What a command examined when it was run again. */
export interface Examined {
  readonly returned: number;
  readonly keys: number;
  readonly documents: number;
  /** The names of the stages, the outermost first. */
  readonly stages: readonly string[];
  /** The names of the indexes that were read. */
  readonly indexes: readonly string[];
}

/** Runs the command again and tells what it examined; a write is planned, looks for its rows, and writes nothing. */
export async function examinedBy(store: Store, { name, collection, body }: Sent): Promise<Examined> {
  const extra = name === 'aggregate' ? { cursor: {} } : {};
  const command = { [name]: collection, ...body, ...extra };
  const answer = await store.db.command({ explain: command, verbosity: 'executionStats' });
  const cursor = (answer.stages as Document[] | undefined)?.find((stage) => '$cursor' in stage)?.$cursor;
  const stats = (answer.executionStats ?? cursor?.executionStats) as Document;
  const stages: string[] = [];
  const indexes = new Set<string>();
  visit(stats.executionStages, (stage) => {
    stages.push(String(stage.stage));
    if (stage.indexName !== undefined) indexes.add(String(stage.indexName));
  });
  return {
    returned: stats.nReturned,
    keys: stats.totalKeysExamined,
    documents: stats.totalDocsExamined,
    stages,
    indexes: [...indexes],
  };
}

function visit(stage: Document | undefined, each: (stage: Document) => void): void {
  if (stage === undefined) return;
  each(stage);
  visit(stage.inputStage, each);
  for (const inner of stage.inputStages ?? []) visit(inner, each);
}
