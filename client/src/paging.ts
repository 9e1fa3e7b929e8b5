import { UnexpectedAnswerError } from './errors.ts';
import { answerOf } from './transport.ts';

/** What every page has. */
interface PageWithToken {
  readonly next_page_token: string;
}

/**
 * A list that is read page by page while it is walked: `for await` gives rows, {@link pages} whole pages. Breaking out
 * of the loop ends the reading. A walk neither misses nor repeats a row that matches the whole time.
 */
export class PagedList<Row, Page extends PageWithToken> implements AsyncIterable<Row> {
  readonly #read: (pageToken: string | undefined) => Promise<Page>;
  readonly #rows: (page: Page) => readonly Row[];
  readonly #operation: string;

  constructor(
    operation: string,
    read: (pageToken: string | undefined) => Promise<Page>,
    rows: (page: Page) => readonly Row[],
  ) {
    this.#operation = operation;
    this.#read = read;
    this.#rows = rows;
  }

  /** One page: the first one, or the one of a `next_page_token`, which is valid for 24 hours. */
  page(pageToken?: string): Promise<Page> {
    return this.#read(pageToken);
  }

  /** Every page, from the first one or from the one of a token. */
  async *pages(pageToken?: string): AsyncGenerator<Page, void, undefined> {
    const sent = new Set<string | undefined>();
    let token = pageToken;
    do {
      sent.add(token);
      const page: Page = await this.#read(token);
      token = page.next_page_token;
      if (typeof token !== 'string' || (token !== '' && sent.has(token))) throw this.#endless(page);
      yield page;
    } while (token !== '');
  }

  /** A walk by such a token would never end. */
  #endless(page: Page): UnexpectedAnswerError {
    const { status = 200, headers = new Headers(), requestId = '' } = answerOf(page) ?? {};
    const call = { operation: this.#operation, requestId, attempts: 1 };
    return new UnexpectedAnswerError(status, headers, '', call, 'no new next_page_token');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* this.#rows(page);
  }

  /** The rows as an array. @param max how many at most, since a list may be longer than memory */
  async toArray(max: number): Promise<Row[]> {
    const rows: Row[] = [];
    if (max <= 0) return rows;
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= max) break;
    }
    return rows;
  }
}
