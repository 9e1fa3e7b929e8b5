/** How many keys and rows a database examines for the commands of a client, as `explain` reports it. */
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { clients } from '../../handlers/data/store.ts';

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

/** A command as it was sent, without the fields of the connection. */
export interface SentCommand {
  readonly name: string;
  readonly database: string;
  readonly collection: string;
  readonly body: Document;
}

/** Hears of each client of a store that this process makes from now on. */
export function onClients(hear: (client: MongoClient) => unknown): void {
  clients.subscribe((client) => client instanceof MongoClient && hear(client));
}

/** Hears every command of these clients. */
export function onCommands(hear: (sent: CommandStartedEvent) => void): void {
  onClients((client) => client.on('commandStarted', hear));
}

/** Records what clients of this process send from now on. @returns what gives what was sent since its last call */
export function watchCommands(): () => SentCommand[] {
  let sent: SentCommand[] = [];
  onCommands(({ commandName, command, databaseName }) => sent.push(...parts(commandName, databaseName, command)));
  return () => {
    const taken = sent;
    sent = [];
    return taken;
  };
}

/** The command in single steps: a bulk write has several. */
function parts(name: string, database: string, command: Document): SentCommand[] {
  const kept = PLANNED[name];
  if (kept === undefined) return [];
  const collection = String(command[name]);
  const body = Object.fromEntries(kept.filter((key) => command[key] !== undefined).map((key) => [key, command[key]]));
  const list: 'updates' | 'deletes' | undefined =
    name === 'update' ? 'updates' : name === 'delete' ? 'deletes' : undefined;
  if (list === undefined) return [{ name, database, collection, body }];
  return (body[list] as Document[]).map((step) => ({ name, database, collection, body: { [list]: [step] } }));
}

export interface ExaminedCommand {
  /** How many rows it returns, counts, or would write. */
  readonly found: number;
  readonly keys: number;
  readonly documents: number;
  /** The names of the stages, the outermost first. */
  readonly stages: readonly string[];
  readonly indexes: readonly string[];
}

/** Runs the command again and returns what it examined; a write looks for its rows, and writes nothing. */
export async function examinedBy(
  client: MongoClient,
  { name, database, collection, body }: SentCommand,
): Promise<ExaminedCommand> {
  const extra = name === 'aggregate' ? { cursor: {} } : {};
  const command = { [name]: collection, ...body, ...extra };
  const answer = await client.db(database).command({ explain: command, verbosity: 'executionStats' });
  const cursor = (answer.stages as Document[] | undefined)?.find((stage) => '$cursor' in stage)?.$cursor;
  const stats = (answer.executionStats ?? cursor?.executionStats) as Document;
  const stages: string[] = [];
  const indexes = new Set<string>();
  let found = Number(stats.nReturned);
  visit(stats.executionStages, (stage) => {
    stages.push(String(stage.stage));
    found = Math.max(found, stage.nCounted ?? 0, stage.nMatched ?? 0, stage.nWouldDelete ?? 0);
    if (stage.stage === 'IDHACK') indexes.add('_id_');
    if (stage.indexName !== undefined) indexes.add(String(stage.indexName));
  });
  return {
    found,
    keys: stats.totalKeysExamined,
    documents: stats.totalDocsExamined,
    stages,
    indexes: [...indexes],
  };
}

function visit(part: unknown, each: (stage: Document) => void): void {
  if (Array.isArray(part)) for (const one of part) visit(one, each);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return;
  const stage = part as Document;
  if (typeof stage.stage === 'string') each(stage);
  for (const [name, inner] of Object.entries(stage)) if (/stage/i.test(name)) visit(inner, each);
}
