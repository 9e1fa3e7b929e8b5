import { setTimeout as sleep } from 'node:timers/promises';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { confirm, contentOf, create, draft, pdf, stored, uploadBody } from './shared/document-calls.ts';
import { DAY_MS } from './shared/movable-clock.ts';

const KEPT_MS = 30 * DAY_MS;
const HOUR_MS = DAY_MS / 24;
/** How long is waited for what a target does from time to time, in real time. */
const PATIENCE_MS = 60_000;

/** Asks to confirm an upload again until that is refused. @returns the refusal, or the last answer if none came */
async function untilGone(t: TestContext, id: string): Promise<Answer> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const asked = performance.now();
    const answer = await confirm(t, t.as('full'), id);
    if (answer.status !== 200 || asked > end) return answer;
    await sleep(250);
  }
}

// What has to be old is made in the past, so that nothing is left behind that comes from the future. A bucket has a clock
// of its own: bytes are sent before the clock is moved.
rule({
  id: 'FILE-31',
  text: 'A confirmed upload that no document took is kept for 30 days and no longer; the files of documents, from uploads and from templates, stay.',
  place: 'reserveFile, confirmFile, createDocument',
  decisions: ['D-23'],
  runs: 'alone',
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf('FILE-31');
    const [late, early, taken] = [
      await stored(t, full, bytes),
      await stored(t, full, bytes),
      await stored(t, full, bytes),
    ];
    await t.withClock(async (advance) => {
      await advance(-KEPT_MS - HOUR_MS);
      const printed = await draft(t, full);
      for (const { file } of [late, taken]) (await confirm(t, full, file.id)).ok('confirmFile', 'in the past');
      const { document } = (await create(t, full, uploadBody(t, taken.file.id))).ok('createDocument');
      const before = await contentOf(t, full, printed.id);
      await advance(5 * HOUR_MS);
      (await confirm(t, full, early.file.id)).ok('confirmFile', 'four hours later');
      // Further bytes may arrive with a form for a while, so a target may look at an upload only later.
      await advance(KEPT_MS - 2 * HOUR_MS);
      (await untilGone(t, late.file.id)).fails(['FILE_NOT_FOUND', 'FILE_NOT_UPLOADED'], 'an upload after 30 days');
      const creation = await create(t, full, uploadBody(t, late.file.id));
      creation.fails(['FILE_NOT_FOUND', 'FILE_INVALID_STATUS_TRANSITION'], 'a document of it');
      const again = await create(t, full, uploadBody(t, taken.file.id));
      again.fails('FILE_ALREADY_LINKED', 'a second document of an upload that was taken 30 days ago');
      for (const [id, wanted] of [
        [document.id, bytes],
        [printed.id, before],
      ] as const) {
        const got = await contentOf(t, full, id);
        t.check(got.equals(wanted), 'a document of 30 days ago has other bytes');
      }
      const last = (await create(t, full, uploadBody(t, early.file.id))).ok('createDocument', 'before its 30 days end');
      const got = await contentOf(t, full, last.document.id);
      t.check(got.equals(bytes), 'an upload that was taken at last has other bytes');
    });
  },
});

/** How often confirmations and creations are sent together. */
const ROUNDS = 4;

rule({
  id: 'FILE-32',
  text: 'Confirmations and creations at the same time: each confirmation succeeds, at most one creation does, the others are refused as not confirmed yet or taken, and afterwards the upload serves one document.',
  place: 'confirmFile, createDocument',
  decisions: ['D-23'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = pdf(`FILE-32 ${round}`);
      const { file } = await stored(t, full, bytes);
      const body = () => uploadBody(t, file.id);
      const [one, made, two, other] = await Promise.all([
        confirm(t, full, file.id),
        create(t, full, body()),
        confirm(t, full, file.id),
        create(t, full, body()),
      ]);
      for (const answer of [one, two]) {
        const { status } = answer.ok('confirmFile', 'beside creations').file;
        t.equal(status, t.spelling.file_upload_status.UPLOADED, 'the status', answer);
      }
      const won = [made, other].filter(({ status }) => status === 200);
      for (const answer of [made, other])
        if (answer.status !== 200)
          answer.fails(['FILE_INVALID_STATUS_TRANSITION', 'FILE_ALREADY_LINKED'], 'a creation beside confirmations');
      const last = await create(t, full, body());
      if (won.length > 0) last.fails('FILE_ALREADY_LINKED', 'a later creation');
      const winner = won[0] ?? last;
      t.equal(won.length > 1, false, 'whether two creations succeeded', won[1]);
      const { id, files } = winner.ok('createDocument', 'the only creation').document;
      t.equal(files[0]?.file_id, file.id, 'its file', winner);
      t.check((await contentOf(t, full, id)).equals(bytes), 'the document has other bytes');
    }
  },
});
