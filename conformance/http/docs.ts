/** Finds the docs that a target serves, so that reports can link rules to their promises. */
const PATIENCE_MS = 5_000;
/** The title stands in the first characters of a page. */
const READ_AT_MOST = 65_536;
const TITLE = /<title>[^<]*Developer API[^<]*<\/title>/;

/** The beginning of a body, up to the end of its title. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    if (text.includes('</title>') || text.length > READ_AT_MOST) break;
  }
  return text;
}

/** @returns the address of the docs below `baseUrl`, or undefined if nothing there is a page with the title of the docs */
export async function servedDocs(baseUrl: string): Promise<string | undefined> {
  const url = `${baseUrl}/docs`;
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    const isPage = answer.ok && /^text\/html\b/.test(answer.headers.get('content-type') ?? '');
    const text = answer.body === null ? '' : await beginningOf(answer.body);
    return isPage && TITLE.test(text) ? url : undefined;
  } catch {
    return undefined;
  }
}
