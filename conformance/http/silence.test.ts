import { expect, test } from '@jest/globals';
import { NoAnswer } from './client.ts';
import { Silence } from './silence.ts';

/** How long the requests to an operation wait, which end so. */
async function waits(silence: Silence, called: string, ends: readonly string[], usualMs?: number) {
  const waited: (number | undefined)[] = [];
  for (const code of ends) {
    const asked = silence.answer(called, usualMs, async (timeoutMs) => {
      waited.push(timeoutMs);
      if (code !== '') throw new NoAnswer('nothing came', code);
    });
    await asked.catch((error: NoAnswer) =>
      expect(error).toMatchObject({
        message: `${called}: nothing came`,
        code,
        cause: { what: `${called}: no usable answer came`, came: ['nothing came'] },
      }),
    );
  }
  return waited;
}

test('an operation that has not answered three times is waited for only shortly, until it answers', async () => {
  const silence = new Silence();
  const ends = ['TIMEOUT', 'TIMEOUT', 'ECONNRESET', 'TIMEOUT', '', ''];
  expect(await waits(silence, 'sendDocument', ends, 60_000)).toEqual([60_000, 60_000, 60_000, 2_000, 2_000, 60_000]);
  expect(await waits(silence, 'getDocument', ['TIMEOUT'])).toEqual([undefined]);
});

test('a target that is not there says nothing about its operations', async () => {
  const silence = new Silence();
  await waits(silence, 'getDocument', ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
  expect(silence.isKnown('getDocument')).toBe(false);
});
