/** Secrets that all processes of a deployment share through the database, and the keys that seal page tokens. */
import { randomBytes } from 'node:crypto';
import { now } from '../runtime/clock.ts';
import type { DeploymentSecretRow } from './collections/deployment_secrets.ts';
import { type PageTokens, pageTokens } from './page.ts';
import type { Store } from './store.ts';
import { unlessThere } from './writes.ts';

/** @returns a function that returns the tokens; unless keys are configured, it reads the key from the database once */
export function pageTokenSource(
  store: Store,
  configured: readonly Uint8Array[] | undefined,
): () => Promise<PageTokens> | PageTokens {
  let tokens = configured === undefined ? undefined : pageTokens(configured);
  return () =>
    tokens ??
    sharedSecret(store, 'page_token').then((key) => {
      tokens = pageTokens([key]);
      return tokens;
    });
}

/** 32 random bytes of the deployment. The first process that asks makes them; they never change. */
export async function sharedSecret(store: Store, id: DeploymentSecretRow['_id']): Promise<Uint8Array> {
  const made = { value: randomBytes(32).toString('base64url'), create_time: now() };
  const find = () => store.deployment_secrets.findOne({ _id: id });
  if ((await find()) === null) {
    // Two processes may start at once: the insert of one wins, and both read its value.
    const make = () => store.deployment_secrets.updateOne({ _id: id }, { $setOnInsert: made }, { upsert: true });
    await unlessThere(make);
  }
  const row = await find();
  if (row === null) throw new Error('a secret of the deployment could not be stored');
  return new Uint8Array(Buffer.from(row.value, 'base64url'));
}
