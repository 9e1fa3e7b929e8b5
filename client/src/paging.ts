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

  constructor(read: (pageToken: string | undefined) => Promise<Page>, rows: (page: Page) => readonly Row[]) {
    this.#read = read;
    this.#rows = rows;
  }

  /** One page: the first one, or the one of a `next_page_token`, which is valid for 24 hours. */
  page(pageToken?: string): Promise<Page> {
    return this.#read(pageToken);
  }

  /** Every page, from the first one or from the one of a token. */
  async *pages(pageToken?: string): AsyncGenerator<Page, void, undefined> {
    let token = pageToken;
    do {
      const page: Page = await this.#read(token);
      yield page;
      token = page.next_page_token;
    } while (token !== '');
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
