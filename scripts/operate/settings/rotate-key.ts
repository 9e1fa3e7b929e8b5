/** `settings webhook-endpoints rotate-key`: encrypts the secrets of endpoints with a new key (D-24). */

import { EXIT, Failure, misuse } from '../../../conformance/command-line.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { webhookSecretKeys } from '../../../handlers/process/config.ts';
import { SecretUnreadable, secretBox } from '../../../handlers/webhooks/secrets.ts';
import type { Answer } from './command.ts';

/**
 * Encrypts every secret with the first of the keys, in all tenants. Each secret is one conditional write, so after an
 * interruption a second run continues where the first one ended.
 * @param configured the text of WEBHOOK_SECRET_KEYS
 */
export async function rotateKey(store: Store, configured: string | undefined): Promise<Answer> {
  if (!configured) return misuse('WEBHOOK_SECRET_KEYS is not set, so there is no key to change to.');
  const keys = webhookSecretKeys(configured);
  if (keys === undefined) return misuse('WEBHOOK_SECRET_KEYS must be comma-separated keys of 32 bytes in base64url.');
  const box = secretBox(store, keys);
  const unreadable: string[] = [];
  let [resealed, kept] = [0, 0];
  const rows = store.webhook_endpoints.find({}, { projection: { sealed_secret: 1 } }).sort({ _id: 1 });
  for await (const { _id, sealed_secret } of rows) {
    try {
      const sealed = await box.reseal(_id, sealed_secret);
      if (sealed === undefined) kept++;
      else {
        const change = { $set: { sealed_secret: sealed } };
        resealed += (await store.webhook_endpoints.updateOne({ _id, sealed_secret }, change)).modifiedCount;
      }
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      unreadable.push(_id);
    }
  }
  const done = `Encrypted ${resealed} secrets with the first key; ${kept} were before.`;
  const json = { resealed, kept, unreadable };
  if (unreadable.length === 0) return { json, text: `${done} The other keys are not needed any more.` };
  const missing =
    `No key of WEBHOOK_SECRET_KEYS opens the secrets of ${unreadable.length} endpoints:\n` +
    `  ${unreadable.join('\n  ')}\nAdd the key that they were encrypted with, and repeat this.`;
  return { json, text: done, failure: new Failure(EXIT.refused, missing) };
}
