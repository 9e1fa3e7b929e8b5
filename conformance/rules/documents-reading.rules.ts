import type { TestContext } from '../engine/test-context.ts';
import type { Query } from '../http/api.ts';
import { rule } from './rule.ts';
import { idsOf, oddLimits, UNKNOWN_ID, unique } from './shared/calls.ts';
import {
  approvalBy,
  create,
  draft,
  draftFromUpload,
  found,
  pdf,
  readDocument,
  sendOff,
  setRoute,
  several,
  signingBy,
  templateBody,
  titleOf,
} from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';
import { mustLookTheSame } from './shared/same-answer.ts';
import { type Schema, valuesFor } from './shared/template-values.ts';

rule({
  id: 'DREAD-1',
  level: 'MUST',
  text: 'A document that is read by its id equals the same document in the list.',
  place: 'getDocument, listDocuments',
  needs: together(need.template, { operations: ['createDocument', 'getDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const title = titleOf(t);
    const { id } = await draft(t, full, { title });
    const { rows, answer } = await full.list('listDocuments', { search: title });
    t.equal(rows, [await readDocument(full, id)], 'the document in the list', answer);
  },
});

rule({
  id: 'DREAD-2',
  level: 'MUST',
  text: 'An unknown document and one of another tenant are the same 404 DOCUMENT_NOT_FOUND; a malformed id is answered as the target declares.',
  place: 'getDocument, DOCUMENT_NOT_FOUND',
  decisions: ['D-14'],
  needs: together(need.template, { keys: ['other_tenant'], operations: ['createDocument', 'getDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const { id } = await draft(t, full);
    const other = t.as('other_tenant');
    const unknown = (await other.get(`/documents/${UNKNOWN_ID}`)).fails('DOCUMENT_NOT_FOUND', 'an unknown id');
    mustLookTheSame(t, await other.get(`/documents/${id}`), unknown, 'a document of another tenant', [id, UNKNOWN_ID]);
    t.equal(await found(other, t.run.run_id), [], 'documents of this run in the other tenant');
    for (const odd of ['x', 'null', `${id}x`, id.replaceAll('-', '')]) {
      const answer = await full.get(`/documents/${odd}`);
      if (t.values.malformed_document_id === 'not_found') answer.fails('DOCUMENT_NOT_FOUND', odd);
      else answer.fails('INVALID_ARGUMENT', odd);
    }
    const upper = await full.get(`/documents/${id.toUpperCase()}`);
    if (t.values.upper_case_id === 'understood') t.equal(upper.ok('getDocument').document.id, id, 'the id', upper);
    else t.check(upper.status >= 400 && upper.status < 500, `an id in upper case: ${upper.brief}`, upper);
  },
});

rule({
  id: 'DREAD-3',
  level: 'MUST',
  text: 'Each operation answers for a document out of the owner’s view exactly as for an unknown one.',
  place: 'getDocument, downloadDocument, setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument',
  needs: together(need.template, {
    keys: ['restricted_owner'],
    fixtures: ['owner_employee_id', 'restricted_owner_employee_id'],
    operations: [
      'createDocument',
      'getDocument',
      'listDocuments',
      'downloadDocument',
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
    ],
  }),
  check: async (t) => {
    const full = t.as('full');
    const restricted = t.as('restricted_owner');
    const { id } = await draft(t, full);
    await setRoute(t, full, id, [
      approvalBy(t, t.fixture('owner_employee_id')),
      signingBy(t, t.fixture('owner_employee_id')),
    ]);
    const steps = [signingBy(t, t.fixture('restricted_owner_employee_id'))];
    const calls: [string, object | undefined][] = [
      ['', undefined],
      ['/_download', undefined],
      ['/_set_route', { steps }],
      ['/_send', {}],
      ['/_approve', {}],
      ['/_sign', {}],
      ['/_reject', { comment: 'нет' }],
    ];
    for (const state of ['draft', 'sent']) {
      for (const [action, body] of calls) {
        const ask = (of: string) =>
          body === undefined
            ? restricted.get(`/documents/${of}${action}`)
            : restricted.post(`/documents/${of}${action}`, body);
        const unknown = (await ask(UNKNOWN_ID)).fails('DOCUMENT_NOT_FOUND', `${action} of an unknown document`);
        mustLookTheSame(t, await ask(id), unknown, `${action || 'reading'} a hidden ${state}`, [id, UNKNOWN_ID]);
      }
      if (state === 'draft') await sendOff(t, full, id);
    }
    t.equal(
      (await readDocument(full, id)).status,
      t.spelling.document_status.ON_APPROVAL,
      'the status after all of it',
    );
  },
});

rule({
  id: 'DREAD-4',
  level: 'MUST',
  text: 'The type filter of documents filters exactly, on every page and beside created_after, several types are a union, and an unknown or malformed type matches nothing.',
  place: 'listDocuments: type_id',
  decisions: ['D-12', 'D-15'],
  needs: together(need.template, need.uploads, {
    operations: ['createDocument', 'listDocuments'],
    fixtures: ['document_type_hidden_from_restricted_id'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const mark = titleOf(t);
    const [first, second] = [t.fixture('document_type_id'), t.fixture('document_type_hidden_from_restricted_id')];
    const one = await draft(t, full, { title: `${mark} a` });
    const two = await draftFromUpload(t, full, pdf(mark), { title: `${mark} b`, type_id: second });
    const got = (type_id: string[], more: object = {}) => found(full, mark, { type_id, ...more });
    t.equal(await got([first]), [one.id], 'documents of the first type');
    const created_after = new Date(Date.parse(two.create_time) + 1).toISOString();
    t.equal(await got([first], { created_after }), [], 'documents of the first type that were made after both');
    t.equal(await got([second]), [two.id], 'documents of the second type');
    t.equal(await got([second, first]), [two.id, one.id], 'documents of both');
    t.equal(await got([second, first], { limit: 1 }), [two.id, one.id], 'documents of both on pages of one');
    const twice = t.values.duplicate_filter_values === 'collapse' ? [first, first] : [first];
    t.equal(await got(twice), [one.id], 'documents of one type, named twice where that is allowed');
    for (const odd of [UNKNOWN_ID, 'x', '{"$gt":""}', t.profile.fixtures.document_type_other_tenant_id ?? UNKNOWN_ID])
      t.equal(await got([odd]), [], `documents of the type ${odd}`);
    t.equal(await got([UNKNOWN_ID, first]), [one.id], 'documents of a known and an unknown type');
    for (const row of (await full.list('listDocuments', { type_id: second, limit: 100 })).rows)
      t.equal(row.type_id, second, 'the type of a document in the filtered list');
  },
});

/** An instant of whole milliseconds in other forms; one of them is a little later within the same millisecond. */
function sameInstant(utc: string): string[] {
  const at = Date.parse(utc);
  const shifted = (hours: number) => new Date(at + hours * 3_600_000).toISOString().slice(0, -1);
  return [utc, `${shifted(5)}+05:00`, `${shifted(-3)}-03:00`, utc.replace('Z', '000999Z')];
}

rule({
  id: 'DREAD-5',
  level: 'MUST',
  text: 'created_after finds newer documents, in any time zone and on every page; whether it includes the boundary is as the target declares.',
  place: 'listDocuments: created_after',
  decisions: ['D-12', 'D-15'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const full = t.as('full');
    const mark = titleOf(t);
    const { id, create_time } = await draft(t, full, { title: mark });
    const at = Date.parse(create_time);
    const got = (created_after: string) => found(full, mark, { created_after });
    const here = t.values.created_after_boundary === 'inclusive' ? [id] : [];
    for (const instant of sameInstant(create_time)) t.equal(await got(instant), here, `created_after ${instant}`);
    const before = new Date(at - 1).toISOString();
    for (const instant of [before, before.replace('Z', '999Z')])
      t.equal(await got(instant), [id], `${instant}, which is in the millisecond before`);
    t.equal(await got(new Date(at + 1).toISOString()), [], 'a millisecond after');
    t.equal(await got('1970-01-01T00:00:00Z'), [id], 'long before');
    const [second, third] = [await draft(t, full, { title: mark }), await draft(t, full, { title: mark })];
    const created_after = new Date(at + 1).toISOString();
    if (Date.parse(second.create_time) > at + 1)
      t.equal(await found(full, mark, { created_after, limit: 1 }), [third.id, second.id], 'on pages of one');
    for (const odd of [
      '2026-02-30T00:00:00Z',
      '2026-03-01',
      '2026-03-01T00:00:00',
      'x',
      '1',
      '2026-03-01T00:00:00 05:00',
    ]) {
      (await full.get('/documents', { created_after: odd })).blames('created_after', odd);
    }
  },
});

/** Letters beside those of Russian: what is the same in lower case is found, what is only alike is not. */
async function findsInAnyAlphabet(t: TestContext): Promise<void> {
  const full = t.as('full', { spread: true });
  const title = titleOf(t);
  const { id } = await draft(t, full, { title: `${title} ΟΔΟΣΑ Straße ҚӘҢӨҰҮҺІ Été Z` });
  const right = ['οδοσα', 'οδος', 'οδοσ', 'ΟΔΟΣ', 'οδοςΑ'].map((greek) => `${title} ${greek}`);
  right.push('οδοσα STRAßE', 'straẞe қәңөұүһі', `қәңөұүһі E\u0301tE\u0301 z`);
  for (const search of right) {
    t.check((await found(full, search)).includes(id), `search=${search} does not find the title`);
  }
  for (const search of [`${title} οδοςβ`, 'οδοσα strasse', 'straße каноуухи', 'қәңөұүһі ete z']) {
    t.check(!(await found(full, search)).includes(id), `search=${search} finds the title`);
  }
}

rule({
  id: 'DREAD-6',
  level: 'MUST',
  text: 'search finds a literal part of the title, and of the number as the target declares, in any case and alphabet, and nothing else.',
  place: 'listDocuments: search',
  decisions: ['D-15'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const run = t.run.run_id;
    const mark = titleOf(t, 'Ёлка ПРИКАЗ (a.b*c) %_$ café');
    const number = `№-${run}/Ж-118`;
    const { id } = await draft(t, full, { title: mark, number });
    const finds = async (search: string, whether: boolean) => {
      const ids = await found(full, search);
      t.equal(ids.includes(id), whether, `whether search=${search} finds ${mark}`);
    };
    const tail = mark.slice(mark.indexOf(run));
    const right = [
      mark,
      mark.toLowerCase(),
      mark.toUpperCase(),
      'приказ (A.B*C)',
      `%_$ cafe\u0301 ${tail}`,
      tail,
      'ёлка приказ',
    ];
    for (const search of right) await finds(search, true);
    for (const search of [
      'елка приказ',
      'ПРИКАЗ (a.bxc)',
      `^${tail}`,
      `.*${run}`,
      `${tail}x`,
      '(a.b*c)%',
      'ПРИКАЗ  (a',
      // A letter with an accent is another letter, wherever the search ends.
      '(a.b*c) %_$ cafe',
    ]) {
      await finds(search, false);
    }
    await findsInAnyAlphabet(t);
    const byNumber = t.values.document_search === 'title_and_number';
    for (const search of [number, number.toLowerCase(), `${run}/ж-1`]) await finds(search, byNumber);
  },
});

rule({
  id: 'DREAD-7',
  level: 'MUST',
  text: 'An unknown, empty, wrongly repeated or odd parameter of the list of documents is INVALID_ARGUMENT naming it.',
  place: 'listDocuments',
  decisions: ['D-9', 'D-12', 'D-15'],
  needs: { operations: ['listDocuments'] },
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const refused = async (query: string, field: string) =>
      (await full.get('/documents', query)).blames(field, `?${query.slice(0, 80)}`);
    for (const name of [
      'status',
      'initiator_employee_id',
      'include_total',
      'expand',
      'nothing',
      'type_id[]',
      'search[$ne]',
    ])
      (await full.get('/documents', `${encodeURIComponent(name)}=x`)).fails('INVALID_ARGUMENT', `?${name}=x`);
    for (const query of oddLimits) (await full.get('/documents', query)).blames('limit', query);
    for (const name of ['type_id', 'created_after', 'search']) await refused(`${name}=`, name);
    for (const name of ['created_after=2026-01-01T00:00:00Z', 'search=abcd'])
      await refused(`${name}&${name}`, name.split('=')[0] ?? '');
    const [fewest, most] = t.values.document_search_length;
    if (fewest > 1) await refused(`search=${'a'.repeat(fewest - 1)}`, 'search');
    await refused(`search=${'a'.repeat(most + 1)}`, 'search');
    for (const search of [
      'a'.repeat(fewest),
      'a'.repeat(most),
      encodeURIComponent('Ә'.repeat(most)),
      encodeURIComponent('👩‍💼'.repeat(10)),
    ])
      (await full.get('/documents', `search=${search}`)).ok('listDocuments', `search of ${search.length}`);
    const many = Array.from({ length: 101 }, (_, i) => `type_id=${i}`).join('&');
    await refused(many, 'type_id');
  },
});

rule({
  id: 'DREAD-10',
  level: 'MUST',
  text: 'The version and variable_schema that a template shows are those that a creation takes.',
  place: 'getDocumentTemplate, createDocument',
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const shown = await full.get(`/document_templates/${t.fixture('document_template_id')}`);
    const { document_template: template } = shown.ok('getDocumentTemplate');
    t.check(Number.isInteger(template.version), 'the version is no integer');
    const template_values = valuesFor(template.variable_schema as Schema);
    const body = await templateBody(t, { template_version: template.version, template_values });
    (await create(t, full, body)).ok('createDocument', 'the version that is shown');
    const least = valuesFor(template.variable_schema as Schema, 'required');
    (await create(t, full, { ...body, template_values: least })).ok('createDocument', 'the required variables alone');
  },
});

rule({
  id: 'DREAD-11',
  level: 'MUST',
  text: 'A key with documents:read alone reads categories, types and templates.',
  place: 'listDocumentCategories, listDocumentTemplates',
  needs: { keys: ['documents_read'], fixtures: ['document_template_id'] },
  check: async (t) => {
    const reader = t.as('documents_read');
    for (const list of ['listDocumentCategories', 'listDocumentTypes', 'listDocumentTemplates'] as const)
      t.check((await reader.list(list)).rows.length > 0, `${list} is empty`);
    (await reader.get(`/document_templates/${t.fixture('document_template_id')}`)).ok('getDocumentTemplate');
  },
});

rule({
  id: 'DREAD-12',
  level: 'MUST',
  text: 'Documents are listed newest first, and a walk shows each once.',
  place: 'listDocuments',
  decisions: ['D-11'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const full = t.as('full');
    const { mark, ids } = await several(t, full, 5);
    for (const limit of [1, 2, 4, 5, 100]) {
      const rows = await full.walk('listDocuments', { search: mark, limit });
      t.equal(idsOf(rows).sort(), [...ids].sort(), `documents of a walk with limit ${limit}`);
      const byId = t.values.page_order === 'create_time_desc_id_desc';
      const order = rows.map(({ create_time, id }) => (byId ? `${create_time} ${id}` : create_time));
      t.equal(order, [...order].sort().reverse(), `the order of a walk with limit ${limit}`);
    }
    const page = await full.list('listDocuments', { limit: 3 });
    t.equal(page.rows.length, 3, 'rows of a page', page.answer);
    t.check(page.token !== '', 'the newest documents have no next page', page.answer);
    const all = await full.list('listDocuments');
    t.check(all.rows.length <= 100, `${all.rows.length} rows without a limit`, all.answer);
  },
});

rule({
  id: 'DREAD-21',
  level: 'MUST',
  text: 'A page token of documents is bound to its list, its filters and its limit.',
  place: 'listDocuments: page_token',
  decisions: ['D-10'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const { mark } = await several(t, full, 2);
    const query = {
      search: mark,
      limit: 1,
      type_id: t.fixture('document_type_id'),
      created_after: '2020-01-01T00:00:00Z',
    };
    const { token } = await full.list('listDocuments', query);
    t.check(token !== '', 'there is no second page');
    const next = await full.list('listDocuments', { ...query, page_token: token });
    t.equal(next.rows.length, 1, 'rows of the second page');
    const same: Query[] = [{ created_after: '2020-01-01T05:00:00+05:00' }];
    for (const change of same)
      (await full.get('/documents', { ...query, ...change, page_token: token })).ok(
        'listDocuments',
        JSON.stringify(change),
      );
    const others: Query[] = [
      { search: `${mark} ` },
      { search: undefined },
      { limit: 2 },
      { limit: undefined },
      { type_id: UNKNOWN_ID },
      { type_id: undefined },
      { type_id: [query.type_id, UNKNOWN_ID] },
      { created_after: '2020-01-01T00:00:01Z' },
      { created_after: undefined },
    ];
    for (const change of others) {
      const answer = await full.get('/documents', { ...query, ...change, page_token: token });
      answer.blames('page_token', `a token used with ${JSON.stringify(change)} changed`);
    }
    (await full.get('/employees', { limit: 1, page_token: token })).blames('page_token', 'a token of documents');
    const strange = (await full.list('listDocumentTypes', { limit: 1 })).token;
    const middle = token.length >> 1;
    const altered = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
    for (const odd of [strange, 'x', `${token}x`, token.slice(1), altered].filter((one) => one !== ''))
      (await full.get('/documents', { ...query, page_token: odd })).blames('page_token', 'a strange token');
  },
});

rule({
  id: 'DREAD-20',
  level: 'MUST',
  text: 'An odd document id in a path is refused as a client’s error.',
  place: 'getDocument, downloadDocument',
  decisions: ['D-14'],
  needs: { operations: ['getDocument', 'downloadDocument'] },
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const odd = [
      '%00',
      '..%2f..%2fdocuments',
      '%2e%2e',
      `${UNKNOWN_ID}.pdf`,
      'undefined',
      '%F0%9F%98%80',
      'x'.repeat(5000),
      '%7B%7D',
      '_send',
    ];
    for (const id of unique(odd)) {
      for (const action of ['', '/_download']) {
        const inFront = id === '%00' && { inFront: '%00' };
        const answer = await full.get(`/documents/${id}${action}`, {}, { ...inFront });
        answer.fails(['INVALID_ARGUMENT', 'DOCUMENT_NOT_FOUND', 'PATH_NOT_FOUND'], `${id.slice(0, 30)}${action}`);
      }
    }
  },
});
