/**
 * Writes the audit log: an entry before every command that does not only read, and its outcome after it. A tool that is
 * killed in between leaves an entry that says BEGUN, so there is never a change without one. Entries hold ids and names
 * of options, never values: these may be personal data or secrets.
 */
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { type AuditEntryRow, MOST_RESULTS } from '../../../handlers/data/collections/audit_entries.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { Failure } from '../../kit/command-line.ts';
import type { Answer, SettingsCommand } from './command.ts';
import { type Shape, shaped } from './shape.ts';

/** The form of ids in this service, also of those that are made of two; no other text gets into an entry. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:[0-9a-f-]{1,36})?$/;

/** A command as it is given. */
interface GivenCommand {
  readonly command: SettingsCommand;
  /** Its group and its name. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly tenantId: string;
  /** Whom `--as` names. */
  readonly operator: string | undefined;
}

/** The user of the operating system; its number where the system knows no name, as in a container. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

const idOf = (value: unknown): string | undefined => {
  const id = typeof value === 'string' ? value : (value as { _id?: unknown } | null | undefined)?._id;
  return typeof id === 'string' && ID.test(id) ? id : undefined;
};

/** The entry of something that is about to begin, without what it is about. */
export function newEntry(command: string, operator: string | undefined, at: Date): AuditEntryRow {
  const os_user = osUser();
  return {
    _id: randomUUID(),
    tenant_id: '',
    command,
    operator: operator ?? os_user,
    os_user,
    host: hostname(),
    pid: process.pid,
    about: {},
    results: [],
    fields: [],
    outcome: 'BEGUN',
    at,
    ended_at: null,
  };
}

/** The entry of a command that is about to run. */
export function entryOf({ command, name, values, tenantId, operator }: GivenCommand, at: Date): AuditEntryRow {
  const given = Object.entries(command.takes).filter(
    ([key, { otherwise }]) => values[key] !== undefined && values[key] !== otherwise,
  );
  const about = given.flatMap(([key]) => {
    const id = idOf(values[key]);
    return id === undefined ? [] : [[key, id] as const];
  });
  return {
    ...newEntry(name, operator, at),
    tenant_id: tenantId,
    about: Object.fromEntries(about),
    fields: given.filter(([, { is }]) => is !== 'argument').map(([key]) => key),
  };
}

/** The ids of the rows that an answer shows. */
function resultsOf(shape: Shape<unknown>, { of }: Answer): string[] {
  const rows = Array.isArray(of) ? of.slice(0, MOST_RESULTS) : [of];
  return rows.flatMap((row) => idOf(shaped(shape, row).id) ?? idOf(row) ?? []);
}

/**
 * Does something between the two writes of its entry.
 * @param outcomeOf how what it returns has ended, with the ids of rows that it made @throws what it throws
 */
export async function audited<Result>(
  store: Store,
  entry: AuditEntryRow,
  clock: () => Date,
  run: () => Promise<Result>,
  outcomeOf: (result: Result) => Pick<AuditEntryRow, 'outcome' | 'results'>,
): Promise<Result> {
  await store.audit_entries.insertOne(entry);
  const end = (how: Partial<AuditEntryRow>) =>
    store.audit_entries.updateOne({ _id: entry._id }, { $set: { ...how, ended_at: clock() } });
  try {
    const result = await run();
    await end(outcomeOf(result));
    return result;
  } catch (error) {
    // If the store is away, the entry stays BEGUN, and what the command says matters more.
    await end({ outcome: error instanceof Failure ? 'REFUSED' : 'FAILED' }).catch(() => {});
    throw error;
  }
}

/** How a command has ended that answers; one that answers until it is stopped has only begun to. */
export function outcomeOfCommand({ json }: Pick<SettingsCommand, 'json'>, answer: Answer | AsyncIterable<Answer>) {
  if (Symbol.asyncIterator in answer) return { outcome: 'DONE' as const, results: [] };
  return {
    outcome: answer.failure === undefined ? ('DONE' as const) : ('FAILED' as const),
    results: resultsOf(json, answer),
  };
}
