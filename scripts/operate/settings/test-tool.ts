/** The settings tool as tests run it: in this process, with its output as texts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Store } from '../../../handlers/data/store.ts';
import { EXIT, keptOutput } from '../../kit/command-line.ts';
import { eventually } from '../../kit/eventually.ts';
import { LEAST_OF_ID } from './id-beginning.ts';
import { settings } from './main.ts';
import { jsonText } from './shape.ts';
import { widthOf } from './table.ts';
import type { Surroundings } from './terminal.ts';

const WIDTH = 80;

/** The words of a command line, as a shell reads it, and those that follow as they are. */
type CommandLine = readonly [line: string, ...words: string[]];

const wordsOf = ([line, ...words]: CommandLine): string[] => [
  ...Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted = word]) => quoted),
  ...words,
];

/** What only the store needs, at any depth of an answer. */
const INTERNAL =
  /^_id$|^tenant_id$|_hash$|^sealed|secret_|^rev$|_rev$|^listed$|^lease|^slot$|^visible_to$|^actors$|^ancestor_ids$|^search_|outbox|^details$|^object$|^status_due_on$|^certificate$|^subject$|^cursor$|^planned$/;

/** What a row has, and its answer shows in another form or not at all. */
const OTHERWISE =
  /^(?:accepted_order|chunk_count|counts|enabled_at|endpoint_id|failed_delivery_ids|files|key_expires_at|pending_events|template|url|variable_schema|version)$/;

/** Where the rows of a group are, if its name does not say it. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  keys: 'api_keys',
  ingests: 'ingest_requests',
  audit: 'audit_entries',
};

/** What an answer shows of a row is what the store has of it now; an answer that shows rows as they are leaves nothing out. */
async function mustBeStored({ db }: Pick<Store, 'db'>, group: string, rows: readonly { readonly id?: string }[]) {
  const collection = db.collection<{ readonly _id: string }>(COLLECTIONS[group] ?? group.replace('-', '_'));
  for (const row of rows) {
    const stored = await collection.findOne({ _id: row.id ?? '' });
    const known = Object.entries(JSON.parse(jsonText(stored ?? {})));
    const fields = known.filter(([field]) => !INTERNAL.test(field) && !OTHERWISE.test(field));
    const shown = fields.filter(([field]) => field in row);
    expect(row).toMatchObject(Object.fromEntries(shown));
    if (shown.length > 2) expect(shown).toEqual(fields);
  }
}

/** The fields that the help of a command states; those of an empty list cannot be seen. */
async function fieldsOf(argv: readonly string[], answer: unknown): Promise<string[]> {
  if (Array.isArray(answer) && answer.length === 0) return [];
  const { written, ...output } = keptOutput();
  await settings([...argv.filter((word) => !word.startsWith('--')).slice(0, 2), '--help'], {
    ...output,
    env: {},
    now: () => new Date(),
  });
  const stated = /^Fields of --json: ([\s\S]*?)\.$/m.exec(written.out)?.[1] ?? '';
  return stated.split(/,\s+/);
}

interface ToolRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Whether the database had no time to answer when the command began, so that nothing has happened. */
function isUnheard({ code, err }: ToolRun): boolean {
  return code === EXIT.unreachable && /^The database .* does not answer: (?!.*ECONNREFUSED)/s.test(err);
}

/** Writes files of a folder: a text as it is, anything else as JSON. */
export const writerIn =
  (folder: string) =>
  (name: string, content: unknown): string => {
    const file = join(folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };

/** The surroundings of a command line, and the store with which its answers are compared. */
type TestSurroundings = Pick<Surroundings, 'env'> & Partial<Surroundings> & { readonly store?: Store };

/** @param surroundings overrides, read for each command line; without it, the time does not change */
export function settingsTool(surroundings: () => TestSurroundings) {
  let known: Store | undefined;

  async function runOnce(more: Partial<Surroundings>, line: CommandLine): Promise<ToolRun> {
    const { stdout, store, ...given } = surroundings();
    known = store;
    const { written, ...output } = keptOutput(stdout);
    const code = await settings(wordsOf(line), {
      now: () => new Date('2026-03-02T05:00:00Z'),
      ...given,
      ...more,
      ...output,
    });
    return { code, ...written };
  }

  const runIn = (more: Partial<Surroundings>, line: CommandLine): Promise<ToolRun> =>
    eventually('a database with time for an answer', async () => {
      const ran = await runOnce(more, line);
      return isUnheard(ran) ? undefined : ran;
    });

  const run = (...line: CommandLine): Promise<ToolRun> => runIn({}, line);

  /** What a command prints that ends with this code: if it is 0, on standard output alone, else on standard error alone. */
  async function ended(code: number, line: CommandLine): Promise<string> {
    const ran = await run(...line);
    const said = code === EXIT.ok ? ran.out : ran.err;
    const silent = code === EXIT.ok ? { err: '' } : { out: '', err: expect.stringMatching(/./) };
    expect(ran).toMatchObject({ code, ...silent });
    return said;
  }

  const words = (...line: CommandLine) => ended(EXIT.ok, line);
  /** The message of a command that must be refused. */
  const refused = (...line: CommandLine) => ended(EXIT.refused, line);
  /** The message about a command line that nothing can be done with. */
  const misused = (...line: CommandLine) => ended(EXIT.usage, line);

  // biome-ignore lint/suspicious/noExplicitAny: answers differ from command to command
  const json = async (...line: CommandLine): Promise<any> => {
    const answer = JSON.parse(await words(...line, '--json'), (name, value) => {
      expect(name).not.toMatch(INTERNAL);
      return value;
    });
    const rows = [answer].flat();
    const argv = wordsOf(line);
    expect(Object.keys(rows[0] ?? {})).toEqual(await fieldsOf(argv, answer));
    if (known !== undefined) await mustBeStored(known, argv[0] ?? '', rows);
    return answer;
  };

  /** The ids of a list, in its order. */
  const ids = async (...line: CommandLine): Promise<string[]> => (await json(...line)).map(({ id = '' }) => id);

  /** A list must fit a terminal of the usual width, with so much of its ids that commands understand them. */
  async function fits(...line: CommandLine): Promise<void> {
    const { out } = await runIn({ width: WIDTH }, line);
    expect(out.split('\n').filter((line) => widthOf(line) > WIDTH)).toEqual([]);
    const listed = await ids(...line);
    expect(listed.length).toBeGreaterThan(0);
    for (const id of listed) expect(out).toContain(id.slice(0, LEAST_OF_ID));
  }

  return { run, words, json, ids, refused, misused, fits };
}
