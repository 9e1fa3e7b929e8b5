import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { CompactEncrypt } from 'jose';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { Store } from '../data/store.ts';
import { newWebhookSecret, type SecretBox, SecretUnreadable, secretBox } from './secrets.ts';

const { store } = await testDeployment();
const first = new Uint8Array(randomBytes(32));
const [id, otherId] = [randomUUID(), randomUUID()];
const secret = newWebhookSecret();

beforeEach(() => store.deployment_secrets.deleteMany({}));

const isUnreadable = (box: SecretBox, sealed: string, endpoint = id) =>
  expect(box.open(endpoint, sealed)).rejects.toThrow(SecretUnreadable);

test('a secret has the form of D-24, and each is different', () => {
  const many = Array.from({ length: 1_000 }, newWebhookSecret);
  for (const one of many) expect(one).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  expect(new Set(many).size).toBe(many.length);
});

test('an encrypted secret can be decrypted, holds nothing readable, and differs each time', async () => {
  const box = secretBox(store, [first]);
  const [sealed, again] = [await box.seal(id, secret), await box.seal(id, secret)];
  expect(await box.open(id, sealed)).toBe(secret);
  expect(again).not.toBe(sealed);
  for (const part of sealed.split('.'))
    expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain('whsec_');
});

test('an encrypted secret cannot be decrypted for another endpoint', async () => {
  const box = secretBox(store, [first]);
  const [one, other] = [await box.seal(id, secret), await box.seal(otherId, newWebhookSecret())];
  await isUnreadable(box, other, id);
  await isUnreadable(box, one, otherId);
  // Nor after its own endpoint has opened it, and the process remembers it.
  expect(await box.open(id, one)).toBe(secret);
  await isUnreadable(box, one, otherId);
});

test('without configured keys all processes share one, which still decrypts after keys are configured', async () => {
  const [sealed, ...others] = await Promise.all(
    [secretBox(store, undefined), secretBox(store, undefined)].map((box) => box.seal(id, secret)),
  );
  expect(await secretBox(store, undefined).open(id, others[0] as string)).toBe(secret);
  const configured = secretBox(store, [first]);
  expect(await configured.open(id, sealed as string)).toBe(secret);
  const moved = (await configured.reseal(id, sealed as string)) as string;
  await store.deployment_secrets.deleteMany({});
  expect(await secretBox(store, [first]).open(id, moved)).toBe(secret);
});

test('a failure of the database is not reported as a wrong secret, and ends with the outage', async () => {
  let away = true;
  const flaky = {
    deployment_secrets: {
      findOne: async () => {
        if (away) throw new Error('away');
        return { _id: 'webhook_secret', value: Buffer.from(first).toString('base64url') };
      },
    },
  } as unknown as Store;
  const box = secretBox(flaky, undefined);
  await expect(box.seal(id, secret)).rejects.toThrow('away');
  away = false;
  expect(await box.open(id, await box.seal(id, secret))).toBe(secret);
});

test('an altered or foreign value cannot be decrypted', async () => {
  const box = secretBox(store, [first]);
  const sealed = await box.seal(id, secret);
  const [head = '', , iv = '', text = '', tag = ''] = sealed.split('.');
  const flipped = (part: string) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
  const forged = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), endpoint_id: otherId };
  const otherHead = Buffer.from(JSON.stringify(forged)).toString('base64url');
  await isUnreadable(box, [head, '', flipped(iv), text, tag].join('.'));
  await isUnreadable(box, [head, '', iv, flipped(text), tag].join('.'));
  await isUnreadable(box, [head, '', iv, text, flipped(tag)].join('.'));
  await isUnreadable(box, [otherHead, '', iv, text, tag].join('.'), otherId);
  for (const wrong of ['', 'x', '....', secret]) await isUnreadable(box, wrong);
});

test('only one algorithm is accepted', async () => {
  const box = secretBox(store, [first]);
  const { kid } = JSON.parse(Buffer.from((await box.seal(id, secret)).split('.')[0] ?? '', 'base64url').toString());
  const other = await new CompactEncrypt(new TextEncoder().encode(secret))
    .setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM', kid, endpoint_id: id })
    .encrypt(first);
  await isUnreadable(box, other);
});
