import { rule } from './rule.ts';
import { idsOf } from './shared/calls.ts';
import { act, cast, draft, signing } from './shared/document-calls.ts';

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
