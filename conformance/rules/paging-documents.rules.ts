import { rule } from './rule.ts';
import { idsOf } from './shared/calls.ts';
import { act, approval, cast, draft, signing } from './shared/document-calls.ts';

rule({
  id: 'PAGE-29',
  text: 'Documents that are made and moved during a walk neither repeat nor hide any that was there throughout.',
  place: 'listDocuments: page_token',
  decisions: ['D-11'],
  check: async (t) => {
    const { full } = cast(t);
    const number = `стр-29-${t.run_id}`;
    const more = () => draft(t, full.api, { number });
    const before: string[] = [];
    for (let n = 0; n < 5; n++) before.unshift((await more()).id);
    const seen = await full.api.walk('listDocuments', { search: number, limit: 1 }, async (page, turn) => {
      t.check(page.rows.length === 1, `a page of limit=1 has ${page.rows.length} rows`, page.answer);
      // Newer documents come before the rest of the walk, and a change moves no document.
      if (turn === 2) await more();
      const last = before[before.length - 1] ?? '';
      if (turn === 1) await act(full.api, last, '_set_route', { steps: [signing(full)] });
      if (turn === 3) await act(full.api, last, '_send');
    });
    t.equal(idsOf(seen), before, 'documents along a walk during which others were made and changed');
    t.equal(
      seen[seen.length - 1]?.status,
      t.spelling.document_status.ON_SIGN,
      'the status of the one that was sent meanwhile',
    );
  },
});

rule({
  id: 'PAGE-30',
  text: 'A page token of documents does not widen rights: with the key of another owner it shows only what that owner sees.',
  place: 'listDocuments: page_token',
  decisions: ['D-10', 'D-15'],
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const number = `стр-30-${t.run_id}`;
    const mine: string[] = [];
    for (let n = 0; n < 4; n++) {
      const steps = n % 2 === 0 ? [approval(second), signing(restricted)] : [signing(full)];
      const { id } = await draft(t, full.api, { number });
      (await act(full.api, id, '_set_route', { steps })).ok('setDocumentRoute');
      (await act(full.api, id, '_send')).ok('sendDocument');
      mine.unshift(id);
    }
    const query = { search: number, limit: 1 };
    const first = await full.api.list('listDocuments', query);
    t.equal(idsOf(first.rows), mine.slice(0, 1), 'the first page');
    const page_token = first.token;
    const theirs = await second.api.list('listDocuments', { ...query, page_token });
    t.equal(idsOf(theirs.rows), mine.slice(1, 2), 'the next page with the key of a participant', theirs.answer);
    const nobodys = await restricted.api.list('listDocuments', { ...query, page_token });
    t.equal(idsOf(nobodys.rows), [], 'the next page with the key of one whose turn has not come', nobodys.answer);
    const foreign = await t.as('other_tenant').get('/documents', { ...query, page_token });
    if (t.values.foreign_page_token === 'reject') foreign.blames('page_token', 'in another tenant');
    else t.equal(foreign.ok('listDocuments').documents, [], 'documents of another tenant', foreign);
  },
});
