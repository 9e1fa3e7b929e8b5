/** The keys that seal page tokens: from the configuration, or one that all processes share through the database. */
import { randomBytes } from 'node:crypto';
import { type PageTokens, pageTokens } from './page.ts';
import type { Store } from './store.ts';

/** @returns a function that gives the tokens, asking the database once, as soon as it answers */
export function pageTokenSource(
  store: Store,
  configured: readonly Uint8Array[] | undefined,
): () => Promise<PageTokens> | PageTokens {
  let tokens = configured === undefined ? undefined : pageTokens(configured);
  return () =>
    tokens ??
    sharedKey(store).then((key) => {
      tokens = pageTokens([key]);
      return tokens;
    });
}

async function sharedKey(store: Store): Promise<Uint8Array> {
  const made = { value: randomBytes(32).toString('base64url'), create_time: new Date() };
  const find = () => store.deployment_secrets.findOne({ _id: 'page_token' });
  if ((await find()) === null) {
    // Two processes may start at once: the insert of one wins, and both read what it left.
    await store.deployment_secrets
      .updateOne({ _id: 'page_token' }, { $setOnInsert: made }, { upsert: true })
      .catch((error: { code?: unknown }) => {
        if (error.code !== 11000) throw error;
      });
  }
  const row = await find();
  if (row === null) throw new Error('the key that seals page tokens could not be stored');
  return new Uint8Array(Buffer.from(row.value, 'base64url'));
}
