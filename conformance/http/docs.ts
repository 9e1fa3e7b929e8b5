/** Finds the docs that a target serves, so that reports can link rules to their promises. */
import { exchangeOverHttp, NoAnswer } from './client.ts';
import { headerOf } from './exchange.ts';

const PATIENCE_MS = 5_000;
const TITLE = /<title>[^<]*Developer API[^<]*<\/title>/;

/** @returns the address of the docs below `baseUrl`, or undefined if nothing there is a page with the title of the docs */
export async function servedDocs(baseUrl: string): Promise<string | undefined> {
  try {
    // A rule's requests must not follow on this connection: a proxy may tell them by its first one.
    const how = { freshConnection: true, timeoutMs: PATIENCE_MS };
    const answer = await exchangeOverHttp({ baseUrl, method: 'GET', target: '/docs', headers: [], ...how });
    const isPage = answer.status === 200 && /^text\/html\b/.test(headerOf(answer, 'content-type') ?? '');
    return isPage && TITLE.test(answer.body.toString('utf8')) ? `${baseUrl}/docs` : undefined;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}
