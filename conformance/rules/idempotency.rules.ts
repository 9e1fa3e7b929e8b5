import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api } from '../http/api.ts';
import { rule } from './rule.ts';
import { idsOf, UNKNOWN_ID, unique } from './shared/calls.ts';
import {
  approvalBy,
  create,
  draft,
  found,
  PDF,
  readDocument,
  rejection,
  sendOff,
  setRoute,
  signingBy,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';
import { type OtherBody, otherBodies } from './shared/other-bodies.ts';
import { documentOf, freshKey, mustReplay, REPLAYED } from './shared/replays.ts';

rule({
  id: 'IDEM-1',
  level: 'MUST',
  text: 'The first request with an Idempotency-Key creates the document and is no replay.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const answer = await create(t, t.as('full'), await templateBody(t), freshKey(t));
    t.equal(answer.header(REPLAYED), undefined, 'Idempotent-Replayed', answer);
    t.equal(await readDocument(t.as('full'), documentOf(answer).id), documentOf(answer), 'the document read back');
  },
});

rule({
  id: 'IDEM-2',
  level: 'MUST',
  text: 'An identical repeat of a creation with an Idempotency-Key answers 200 with the same document, marked as a replay.',
  place: 'createDocument: Idempotency-Key',
  decisions: ['D-8'],
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const [body, key] = [await templateBody(t), freshKey(t)];
    const first = documentOf(await create(t, full, body, key));
    const again = await create(t, full, body, key);
    mustReplay(t, again, first.id, 'the repeat');
    t.equal(documentOf(again), first, 'the whole document', again);
  },
});

rule({
  id: 'IDEM-3',
  level: 'MUST',
  text: 'However often it is repeated, a request with an Idempotency-Key makes one document.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['listDocuments', 'createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const title = titleOf(t);
    const [body, key] = [await templateBody(t, { title }), freshKey(t)];
    const { id } = documentOf(await create(t, full, body, key));
    for (let i = 0; i < 6; i++) mustReplay(t, await create(t, full, body, key), id, `repeat ${i + 1}`);
    t.equal(await found(full, title), [id], 'documents with the title');
  },
});

rule({
  id: 'IDEM-4',
  level: 'MUST',
  text: 'The same Idempotency-Key with another body, whichever field of the request is changed, added or dropped, is IDEMPOTENCY_KEY_CONFLICT and creates nothing.',
  place: 'createDocument: Idempotency-Key',
  decisions: ['D-17'],
  needs: together(need.template, {
    fixtures: ['employee_id', 'organization_id'],
    operations: ['listDocuments', 'createDocument'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const title = titleOf(t);
    const template = await templateOf(t, t.fixture('document_template_id'));
    const body = await templateBody(t, {
      title,
      date: '2026-03-02',
      number: 'A',
      organization_id: t.fixture('organization_id'),
      subject_employee_ids: [t.fixture('employee_id')],
      template_version: template.version,
    });
    const key = freshKey(t);
    const { id } = documentOf(await create(t, full, body, key));
    // Exactly one of template_id and file_id must be there, so a body without its template is of the wrong shape.
    const others: readonly OtherBody[] = [
      ...otherBodies('createDocument', body, ['template_id']),
      ['a blank behind the title', { ...body, title: `${title} ` }],
      ['an upload instead', { title, type_id: body.type_id, file_id: UNKNOWN_ID }],
    ];
    for (const [what, other] of others) {
      (await create(t, full, other, key)).fails('IDEMPOTENCY_KEY_CONFLICT', what);
    }
    t.equal(await found(full, title), [id], 'documents with the title');
  },
});

/** Opens connections, so that the next requests can leave at the same moment. */
async function warmUp(t: TestContext): Promise<void> {
  const full = t.as('full', { spread: true });
  await Promise.all(Array.from({ length: 16 }, () => full.verify()));
}

/** Sends many requests at once; the pacing of the key spreads those beyond the burst. */
async function atOnce(t: TestContext, api: Api, bodies: readonly object[], key: string): Promise<Answer[]> {
  await warmUp(t);
  return Promise.all(bodies.map((body) => create(t, api, body, key)));
}

const times = (count: number, body: object): object[] => Array.from({ length: count }, () => body);

rule({
  id: 'IDEM-5',
  level: 'MUST',
  text: 'A hundred requests at the same time with one Idempotency-Key make one document: each answers with it or IDEMPOTENCY_IN_PROGRESS.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['listDocuments', 'createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const title = titleOf(t);
    const [body, key] = [await templateBody(t, { title }), freshKey(t)];
    const answers = await atOnce(t, full, times(100, body), key);
    const made = answers.filter(({ status }) => status === 200);
    for (const answer of answers) if (answer.status !== 200) answer.fails('IDEMPOTENCY_IN_PROGRESS', 'a repeat');
    t.check(made.length > 0, 'none of the requests succeeded', answers[0]);
    const ids = unique(made.map((answer) => documentOf(answer).id));
    t.equal(ids.length, 1, 'different documents among the answers', made[0]);
    const fresh = made.filter((answer) => answer.header(REPLAYED) === undefined);
    t.check(fresh.length <= 1, `${fresh.length} answers say that they are no replay`, fresh[1]);
    t.equal(await found(full, title), ids, 'documents with the title');
  },
});

rule({
  id: 'IDEM-6',
  level: 'MUST',
  text: 'A repeat of a creation while the first request runs is IDEMPOTENCY_IN_PROGRESS with Retry-After, and answers with the document afterwards.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    // A fast target seldom has a request under way when the next one arrives.
    for (let round = 0; round < 12; round++) {
      const [body, key] = [await templateBody(t), freshKey(t)];
      const answers = await atOnce(t, full, times(12, body), key);
      const running = answers.filter(({ status }) => status !== 200);
      for (const answer of running) {
        answer.fails('IDEMPOTENCY_IN_PROGRESS', 'a repeat while the first runs');
        t.check(Number(answer.header('retry-after')) >= 1, 'Retry-After is no whole number of seconds', answer);
      }
      const [first] = answers.filter(({ status }) => status === 200);
      const { id } = documentOf(t.present(first, 'none of the requests succeeded', answers[0]));
      mustReplay(t, await create(t, full, body, key), id, 'the repeat afterwards');
      if (running.length > 0) return;
    }
    t.untested('not_exercised', 'no repeat came while the first request ran');
  },
});

rule({
  id: 'IDEM-23',
  level: 'MUST',
  text: 'Two bodies that are sent at the same time with one Idempotency-Key, many times each, make one document.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['listDocuments', 'createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const title = titleOf(t);
    const [body, key] = [await templateBody(t, { title }), freshKey(t)];
    const bodies = [body, { ...body, number: '1' }];
    const sent = Array.from({ length: 24 }, (_, i) => bodies[i % 2] ?? body);
    const answers = await atOnce(t, full, sent, key);
    const won = answers.findIndex(({ status }) => status === 200);
    const winner = t.present(answers[won], 'none of the requests succeeded', answers[0]);
    for (const [i, answer] of answers.entries()) {
      const same = i % 2 === won % 2;
      if (same && answer.status === 200) t.equal(documentOf(answer).id, documentOf(winner).id, 'the document', answer);
      else if (same) answer.fails('IDEMPOTENCY_IN_PROGRESS', 'the body that won');
      else answer.fails(['IDEMPOTENCY_KEY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS'], 'the other body');
    }
    (await create(t, full, bodies[1 - (won % 2)], key)).fails('IDEMPOTENCY_KEY_CONFLICT', 'the other body afterwards');
    t.equal(await found(full, title), [documentOf(winner).id], 'documents with the title');
  },
});

rule({
  id: 'IDEM-7',
  level: 'MUST',
  text: 'An Idempotency-Key belongs to one API key: with another API key it creates a document of its own.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { keys: ['second_key_same_owner', 'second_owner'], operations: ['createDocument'] }),
  check: async (t) => {
    const [body, key] = [await templateBody(t), freshKey(t)];
    const ids: string[] = [];
    for (const owner of ['full', 'second_key_same_owner', 'second_owner'] as const) {
      const answer = await create(t, t.as(owner), body, key);
      t.equal(answer.header(REPLAYED), undefined, `Idempotent-Replayed for ${owner}`, answer);
      ids.push(documentOf(answer, owner).id);
    }
    t.equal(unique(ids).length, 3, 'documents of three API keys with one Idempotency-Key');
    const other = await create(t, t.as('second_key_same_owner'), { ...body, number: '1' }, key);
    other.fails('IDEMPOTENCY_KEY_CONFLICT', 'another body by the second key');
  },
});

rule({
  id: 'IDEM-10',
  level: 'MUST',
  text: 'Without an Idempotency-Key, each of several equal requests creates a document.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const body = await templateBody(t);
    const rows = [documentOf(await create(t, full, body)), documentOf(await create(t, full, body))];
    t.equal(unique(idsOf(rows)).length, 2, 'documents of two equal requests without a key');
  },
});

rule({
  id: 'IDEM-11',
  level: 'MUST',
  text: 'A replay shows the document as it is now, not as it was.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, {
    operations: ['setDocumentRoute', 'sendDocument', 'createDocument'],
    fixtures: ['owner_employee_id'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const [body, key] = [await templateBody(t), freshKey(t)];
    const { id } = documentOf(await create(t, full, body, key));
    await setRoute(t, full, id, [signingBy(t, t.fixture('owner_employee_id'))]);
    const sent = await sendOff(t, full, id);
    const again = await create(t, full, body, key);
    mustReplay(t, again, id, 'the repeat after the sending');
    t.equal(documentOf(again), sent, 'the document as it is now', again);
  },
});

rule({
  id: 'IDEM-12',
  level: 'MUST',
  text: 'A replay checks permissions anew: an owner who lost sight of the document gets DOCUMENT_NOT_FOUND.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, {
    keys: ['detachable'],
    admin: ['detach_owner', 'attach_owner'],
    operations: ['createDocument'],
  }),
  check: async (t) => {
    const [api, body, key] = [t.as('detachable'), await templateBody(t), freshKey(t)];
    const first = documentOf(await create(t, api, body, key));
    await t.admin('detach_owner');
    try {
      (await create(t, api, body, key)).fails('DOCUMENT_NOT_FOUND', 'the repeat out of sight');
      (await create(t, api, { ...body, number: '1' }, key)).fails('IDEMPOTENCY_KEY_CONFLICT', 'another body then');
    } finally {
      await t.admin('attach_owner');
    }
    mustReplay(t, await create(t, api, body, key), first.id, 'the repeat in sight again');
  },
});

rule({
  id: 'IDEM-13',
  level: 'MUST',
  text: 'A replay of a document that was deleted is DOCUMENT_NOT_FOUND, and creates none.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, {
    operations: ['listDocuments', 'createDocument'],
    admin: ['delete_document'],
    fixtures: ['owner_employee_id'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const title = titleOf(t);
    const [body, key] = [await templateBody(t, { title }), freshKey(t)];
    const { id } = documentOf(await create(t, full, body, key));
    await t.admin('delete_document', { document_id: id, employee_id: t.fixture('owner_employee_id') });
    (await create(t, full, body, key)).fails('DOCUMENT_NOT_FOUND', 'the repeat after the deletion');
    t.equal(await found(full, title), [], 'documents with the title');
  },
});

rule({
  id: 'IDEM-16',
  level: 'MUST',
  text: 'No other write uses the Idempotency-Key: two reservations with one key are two uploads, and a malformed key does not matter.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['reserveFile', 'createDocument'] }),
  check: async (t) => {
    const headers = { 'Idempotency-Key': freshKey(t) };
    const reserving = async (size_bytes: number) => {
      await t.mayWrite();
      const body = { filename: 'a.pdf', content_type: PDF, size_bytes };
      return (await t.as('full').post('/files', body, { headers })).ok('reserveFile').file.id;
    };
    const ids = [await reserving(100), await reserving(100), await reserving(200)];
    for (const odd of ['', 'a b', 'x'.repeat(300)]) {
      headers['Idempotency-Key'] = odd;
      ids.push(await reserving(100));
    }
    t.equal(unique(ids).length, 6, 'uploads of six reservations');
  },
});

rule({
  id: 'IDEM-17',
  level: 'MUST',
  text: 'Actions of a route are not replayed: repeated with the same key they are refused as any repeat is.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, {
    operations: [
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
      'rejectDocument',
      'createDocument',
    ],
    fixtures: ['owner_employee_id'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const me = t.fixture('owner_employee_id');
    const headers = { 'Idempotency-Key': freshKey(t) };
    const { id } = await draft(t, full);
    await setRoute(t, full, id, [approvalBy(t, me), signingBy(t, me)]);
    for (const action of ['_send', '_approve', '_sign']) {
      await t.mayWrite();
      const first = await full.post(`/documents/${id}/${action}`, {}, { headers });
      t.check(first.status === 200, `${action}: expected 200, got ${first.brief}`, first);
      const again = await full.post(`/documents/${id}/${action}`, {}, { headers });
      again.fails('DOCUMENT_INVALID_STATUS_TRANSITION', `${action} again`);
      t.equal(again.header(REPLAYED), undefined, `Idempotent-Replayed of ${action}`, again);
    }
    const other = await draft(t, full);
    await setRoute(t, full, other.id, [signingBy(t, me)]);
    await sendOff(t, full, other.id);
    await t.mayWrite();
    const body = await rejection(full, other.id, me);
    const reject = () => full.post(`/documents/${other.id}/_reject`, body, { headers });
    (await reject()).ok('rejectDocument');
    const again = (await reject()).fails('INVALID_ARGUMENT', '_reject again');
    t.equal(again.header(REPLAYED), undefined, 'Idempotent-Replayed of _reject', again);
  },
});

rule({
  id: 'IDEM-21',
  level: 'MUST',
  text: 'A repeat of a creation from an upload answers with the document, although the upload is taken.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, need.uploads, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const [body, key] = [uploadBody(t, await uploaded(t, full)), freshKey(t)];
    const { id } = documentOf(await create(t, full, body, key));
    mustReplay(t, await create(t, full, body, key), id, 'the repeat');
    (await create(t, full, body)).fails('FILE_ALREADY_LINKED', 'the same request without the key');
    (await create(t, full, body, freshKey(t))).fails('FILE_ALREADY_LINKED', 'the same request with another key');
  },
});

rule({
  id: 'IDEM-22',
  level: 'MUST',
  text: 'A refused request with the Idempotency-Key of a document neither changes nor frees the key: the right repeat still replays.',
  place: 'createDocument: Idempotency-Key',
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const [body, key] = [await templateBody(t), freshKey(t)];
    const { id } = documentOf(await create(t, full, body, key));
    (await create(t, full, { ...body, title: 1 }, key)).blames('title', 'a request of wrong shape');
    (await create(t, full, { ...body, number: '1' }, key)).fails('IDEMPOTENCY_KEY_CONFLICT', 'another body');
    mustReplay(t, await create(t, full, body, key), id, 'the right repeat');
  },
});
