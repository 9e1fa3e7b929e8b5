/** Reads whole lists, one request after another and slower than the limit. */
import type { Ask, Reply } from './ask.ts';

const FULLEST_PAGE = 1000;
/** Longer lists are not read to the end: a hundred thousand rows are enough to choose from. */
const MOST_PAGES = 100;

/** The rows of a list. */
export interface Walk<Row> {
  rows: Row[];
  /** Whether there are rows that were not read. */
  isCut: boolean;
}

/** The list could not be read. */
export class UnreadableList extends Error {
  constructor({ brief }: Reply) {
    super(`the list answers ${brief}`);
    this.name = 'UnreadableList';
  }
}

/**
 * @param path with its query, without `limit` and `page_token`
 * @param property the property of a page that holds the rows
 * @param keep returns what to keep of a row; nothing else of the row stays in memory
 * @throws UnreadableList
 */
async function walk<Row, Kept>(
  ask: Ask,
  variable: string,
  path: string,
  property: string,
  keep: (row: Row) => Kept,
): Promise<Walk<Kept>> {
  const rows: Kept[] = [];
  const start = `${path}${path.includes('?') ? '&' : '?'}limit=${FULLEST_PAGE}`;
  let token = '';
  for (let page = 0; page < MOST_PAGES; page++) {
    const reply = await ask(variable, `${start}${token === '' ? '' : `&page_token=${encodeURIComponent(token)}`}`);
    const body = reply.body as Record<string, unknown> | undefined;
    if (reply.status !== 200 || !Array.isArray(body?.[property])) throw new UnreadableList(reply);
    for (const row of body[property] as Row[]) rows.push(keep(row));
    token = typeof body.next_page_token === 'string' ? body.next_page_token : '';
    if (token === '') return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

/** Reads a list with the key of a variable; once for each. @throws UnreadableList */
export function walker<Row, Kept>(
  ask: Ask,
  path: string,
  property: string,
  keep: (row: Row) => Kept,
): (variable: string) => Promise<Walk<Kept>> {
  const known = new Map<string, Promise<Walk<Kept>>>();
  return (variable) => {
    const reading = known.get(variable) ?? walk(ask, variable, path, property, keep);
    known.set(variable, reading);
    return reading;
  };
}
