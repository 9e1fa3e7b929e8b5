import { seenWithin } from '../engine/bounded-wait.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { confirm, contentOf, create, draft, pdf, readDocument, stored, uploadBody } from './shared/document-calls.ts';
import { DAY_MS } from './shared/movable-clock.ts';

const KEPT_MS = 30 * DAY_MS;
const HOUR_MS = DAY_MS / 24;
/** How long is waited for what a target does from time to time, in real time. */
const PATIENCE_MS = 60_000;

/** Asks to confirm an upload again until that is refused. @returns the refusal, or the last answer if none came */
const untilGone = (t: TestContext, id: string): Promise<Answer> =>
  seenWithin(
    PATIENCE_MS,
    () => confirm(t, t.as('full'), id),
    ({ status }) => status !== 200,
  );

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

/** How often confirmations and creations are sent together, and how many of each. */
const ROUNDS = 4;
const AT_ONCE = 5;

rule({
  id: 'FILE-32',
  text: 'An upload serves one document. Of creations with it, at the same time or later, exactly one wins, and the others are FILE_ALREADY_LINKED; beside confirmations, each of which succeeds, they may be refused as not confirmed yet.',
  place: 'confirmFile, createDocument',
  decisions: ['D-23'],
  check: async (t) => {
    const full = t.asAny('full');
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = pdf(`FILE-32 ${round}`);
      const { file } = await stored(t, full, bytes);
      const body = () => uploadBody(t, file.id);
      const isConfirmed = round % 2 === 1;
      if (isConfirmed) (await confirm(t, full, file.id)).ok('confirmFile');
      const pairs = Array.from({ length: AT_ONCE }, () =>
        Promise.all([confirm(t, full, file.id), create(t, full, body())]),
      );
      const answers = await Promise.all(pairs);
      const creations = answers.map(([, creation]) => creation);
      for (const [answer] of answers) {
        const { status } = answer.ok('confirmFile', 'beside creations').file;
        t.equal(status, t.spelling.file_upload_status.UPLOADED, 'the status', answer);
      }
      const won = creations.filter(({ status }) => status === 200);
      const early = isConfirmed ? [] : (['FILE_INVALID_STATUS_TRANSITION'] as const);
      for (const answer of creations)
        if (answer.status !== 200) answer.fails(['FILE_ALREADY_LINKED', ...early], 'a creation beside another');
      const last = await create(t, full, body());
      if (isConfirmed || won.length > 0) last.fails('FILE_ALREADY_LINKED', 'a later creation');
      const winner = won[0] ?? last;
      t.check(won.length < 2, 'two creations succeeded', won[1]);
      const { document } = winner.ok('createDocument', 'the only creation');
      const { id, files } = document;
      t.equal(files[0]?.file_id, file.id, 'its file', winner);
      t.equal(await readDocument(full, id), document, 'the document afterwards');
      t.check((await contentOf(t, full, id)).equals(bytes), 'the document has other bytes');
    }
  },
});
