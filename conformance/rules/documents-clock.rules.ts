import { expectedError } from '../judge/contract.ts';
import type { KeyName } from '../profile/schema.ts';
import { rulesWith } from './rule.ts';
import { newKey } from './shared/calls.ts';
import {
  accepted,
  confirm,
  confirmed,
  create,
  created,
  documentOf,
  downloadOf,
  draft,
  fetchUrl,
  mustReplay,
  otherTenantBody,
  pdf,
  postForm,
  REPLAYED,
  refused,
  reserve,
  stored,
  templateBody,
  uploadBody,
} from './shared/document-calls.ts';
import { DAY_MS, MARGIN_MS } from './shared/movable-clock.ts';
import { beforeMidnight, dayAt, mustBeOfOldDay } from './shared/tenant-day.ts';

const rule = rulesWith({ runs: 'moving' });

rule({
  id: 'DOC-38',
  text: 'A document that is created without a date gets the tenant’s day: a minute before its midnight the old one, a minute after it the new one.',
  place: 'createDocument',
  decisions: ['D-17'],
  check: async (t) => {
    await beforeMidnight(t, async ({ first, until }) => {
      const late = await draft(t);
      // A slow run may reach midnight by itself: what counts is when the target made the document.
      t.equal(late.date, dayAt(t, late.create_time), `the date of a document made at ${late.create_time}`);
      await until(first + MARGIN_MS);
      const early = await draft(t);
      t.equal(early.date, dayAt(t, early.create_time), `the date of a document made at ${early.create_time}`);
      mustBeOfOldDay(t, late.create_time, first);
      t.check(Date.parse(early.create_time) >= first, 'create_time has not followed the clock');
    });
  },
});

rule({
  id: 'DOC-39',
  text: 'Each tenant has its own day: at the same time, documents of two tenants whose date is left out have the dates of their time zones.',
  place: 'createDocument',
  decisions: ['D-17'],
  check: async (t) => {
    const timeZone = t.fixture('time_zone_other_tenant');
    const noInitiator = expectedError('DOCUMENT_INITIATOR_NOT_FOUND', t.values).code;
    /** The days of both tenants when each of them has made a document. */
    const days = async (): Promise<string[]> => {
      const made = async (key: KeyName, body: object, zone: string) => {
        const answer = await create(t, t.as(key), body);
        if (key === 'other_tenant' && answer.code === noInitiator) {
          t.untested('no_such_data', 'the owner of other_tenant is no employee, so nobody can create documents there');
        }
        const { date, create_time } = answer.ok('createDocument').document;
        const day = dayAt(t, create_time, zone);
        t.equal(date, day, `the date of a document that ${key} made at ${create_time}`, answer);
        return day;
      };
      return [
        await made('full', await templateBody(t), t.values.time_zone),
        await made('other_tenant', await otherTenantBody(t), timeZone),
      ];
    };
    await beforeMidnight(
      t,
      async ({ first, until }) => {
        const before = await days();
        await until(first + MARGIN_MS);
        const both = [before, await days()];
        if (both.every(([ours, theirs]) => ours === theirs))
          t.untested('not_exercised', 'both tenants had the same day: their time zones are too near to each other');
      },
      timeZone,
    );
  },
});

// A bucket has a clock of its own, which no control clock moves: what it has to judge is made in the past.
rule({
  id: 'FILE-17',
  text: 'An upload form is accepted until its declared end and refused after it.',
  place: 'reserveFile',
  decisions: ['D-23'],
  check: async (t, full) => {
    const bytes = pdf('FILE-17');
    const lifetimeMs = t.values.upload_form_lifetime_s * 1000;
    await t.withClock(async (advance) => {
      await advance(-(lifetimeMs + MARGIN_MS));
      const second = await reserve(t, full, bytes.length);
      await advance(2 * MARGIN_MS);
      const first = await reserve(t, full, bytes.length);
      await advance(lifetimeMs - MARGIN_MS);
      const early = await postForm(t, first.upload, bytes);
      t.check(accepted(early), `a minute before its end storage refused the form with ${early.status}`);
      const late = await postForm(t, second.upload, bytes);
      t.check(refused(late), `a minute after its end storage answered ${late.status}`);
      (await confirm(t, full, second.file.id)).fails('FILE_NOT_UPLOADED', 'the form that came too late');
      await confirmed(t, full, first.file.id, 'the bytes that came in time');
    });
  },
});

rule({
  id: 'FILE-25',
  text: 'An upload that was not confirmed in time is FILE_NOT_UPLOADED at its confirmation and FILE_INVALID_STATUS_TRANSITION at a creation.',
  place: 'reserveFile, confirmFile, createDocument',
  decisions: ['D-23'],
  check: async (t, full) => {
    const lifetimeMs = t.values.upload_lifetime_s * 1000;
    const early = await stored(t, full, pdf('FILE-25 early'));
    const late = await stored(t, full, pdf('FILE-25 late'));
    await t.withClock(async (advance) => {
      await advance(lifetimeMs - MARGIN_MS);
      await confirmed(t, full, early.file.id, 'a minute before its end');
      await advance(2 * MARGIN_MS);
      (await confirm(t, full, late.file.id)).fails('FILE_NOT_UPLOADED', 'a minute after its end');
      const creation = await create(t, full, uploadBody(t, late.file.id));
      creation.fails('FILE_INVALID_STATUS_TRANSITION', 'a document of the expired upload');
      await created(t, full, uploadBody(t, early.file.id), 'a document of the other one');
    });
  },
});

rule({
  id: 'DREAD-17',
  text: 'A download URL is good until the declared time and refused after it.',
  place: 'downloadDocument',
  decisions: ['D-22'],
  check: async (t, full) => {
    const lifetimeMs = t.values.download_lifetime_s * 1000;
    const { id } = await draft(t, full);
    await t.withClock(async (advance) => {
      await advance(-(lifetimeMs + MARGIN_MS));
      const old = await downloadOf(full, id);
      await advance(2 * MARGIN_MS);
      const young = await downloadOf(full, id);
      await advance(lifetimeMs - MARGIN_MS);
      t.equal((await fetchUrl(t, young.url)).status, 200, 'the status a minute before the end');
      const late = await fetchUrl(t, old.url);
      t.check(refused(late), `a minute after the end storage answered ${late.status}`);
      t.check(!late.body.includes('%PDF-'), 'the refusal holds the file');
      const fresh = await fetchUrl(t, (await downloadOf(full, id)).url);
      t.equal(fresh.status, 200, 'the status of a new URL then');
    });
  },
});

rule({
  id: 'IDEM-8',
  text: 'An Idempotency-Key replays until its 24 hours end, which a replay does not prolong, and is new afterwards: the same request creates another document.',
  place: 'createDocument: Idempotency-Key',
  check: async (t, full) => {
    const [body, key] = [await templateBody(t), newKey(t)];
    const { id } = documentOf(await create(t, full, body, key));
    await t.withClock(async (advance) => {
      await advance(DAY_MS - MARGIN_MS);
      mustReplay(t, await create(t, full, body, key), id, 'a minute before the end');
      await advance(2 * MARGIN_MS);
      const answer = await create(t, full, body, key);
      const second = documentOf(answer);
      t.check(second.id !== id, 'the key replays after its end', answer);
      t.equal(answer.header(REPLAYED), undefined, 'Idempotent-Replayed', answer);
      mustReplay(t, await create(t, full, body, key), second.id, 'a repeat of the new one');
      const other = await create(t, full, { ...body, number: 'other' }, key);
      other.fails('IDEMPOTENCY_KEY_CONFLICT', 'another body then');
    });
  },
});

rule({
  id: 'IDEM-20',
  text: 'An Idempotency-Key outlives a restart of the service: a repeat gives the same document as before.',
  place: 'createDocument: Idempotency-Key',
  check: async (t, full) => {
    const [body, key] = [await templateBody(t), newKey(t)];
    const first = documentOf(await create(t, full, body, key));
    await t.admin('restart');
    const again = await create(t, full, body, key);
    t.equal(documentOf(again), first, 'the document after the restart', again);
  },
});
