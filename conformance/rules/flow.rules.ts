import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { cms } from './shared/cms-commands.ts';
import {
  act,
  approval,
  cast,
  type Document,
  downloadOf,
  draftFromUpload,
  fetchFile,
  pdf,
  routed,
  signing,
  titleOf,
  unchanged,
} from './shared/document-calls.ts';
import { broughtTo, states } from './shared/flow-states.ts';
import { textOfPdf } from './shared/pdf-text.ts';

/** A signing sheet has the ids of all slots and of their employees, which may be broken at the end of a line. */
function mustNameAll(t: TestContext, { route }: Document, sheet: Buffer): void {
  const text = textOfPdf(sheet).replace(/\s/g, '');
  const ids = route.steps.flatMap(({ participants }) =>
    participants.flatMap(({ id, employee_id }) => [id, employee_id]),
  );
  const missing = ids.filter((id) => !text.includes(id));
  if (missing.length === ids.length) t.untested('no_such_data', 'the text of the signing sheet cannot be read');
  t.equal(missing, [], 'the participants and employees that the sheet lacks');
}

rule({
  id: 'FLOW-9',
  text: 'A document from an upload goes through the same states as one from a template; completed_at is the time of its completion, and then its PDF and the signed PDF can be fetched. The signing sheet in it has the ids of everybody who approved or signed.',
  place: 'signDocument, downloadDocument',
  decisions: ['D-19', 'D-22'],
  check: async (t) => {
    const who = cast(t);
    const bytes = pdf(titleOf(t));
    const completed = t.present(
      states.find(({ id }) => id === 'REJ-4'),
      'the table has no completed document',
    );
    const start = await draftFromUpload(t, who.full.api, bytes);
    const { document: end } = await broughtTo(t, who, completed, { start });
    const late = Date.parse(end.update_time) - Date.parse(end.completed_at);
    t.check(late >= 0 && late < 60_000, `completed at ${end.completed_at}, last changed at ${end.update_time}`);
    t.check(Date.parse(end.completed_at) > Date.parse(start.update_time), 'completed before it was sent');
    for (const { file_id, file_type } of end.files) {
      const { file, url } = await downloadOf(who.restricted.api, end.id, file_id);
      t.equal([file.file_id, file.file_type], [file_id, file_type], 'the file that is to be downloaded');
      const got = await fetchFile(t, url);
      t.equal([got.toString('latin1', 0, 5), String(got.length)], ['%PDF-', file.size_bytes], `the ${file_type}`);
      if (file_type === t.spelling.file_type.PDF) t.check(got.equals(bytes), 'the PDF is not what was uploaded');
      else mustNameAll(t, end, got);
    }
  },
});

rule({
  id: 'FLOW-33',
  text: 'Send, approve and sign need no body; a field that they do not know, and a signature in a SIMPLE slot, is refused and nothing moves.',
  place: 'sendDocument, approveDocument, signDocument',
  decisions: ['D-6a', 'D-21'],
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const document = await routed(t, full, [approval(second), signing(restricted)]);
    const { id } = document;
    const bare = async (api: typeof full.api, action: string) => {
      await t.mayWrite();
      return api.send({ method: 'POST', path: `/documents/${id}/${action}` });
    };
    (await act(full.api, id, '_send', { force: true })).blames('force', 'send with a field');
    await unchanged(full.api, document, 'a refused send');
    (await bare(full.api, '_send')).ok('sendDocument', 'send without a body');
    (await act(second.api, id, '_approve', { status: 'x' })).blames('status', 'approve with an unknown field');
    (await act(second.api, id, '_approve', { comment: 'x'.repeat(2001) })).blames('comment', 'a long comment');
    (await act(second.api, id, '_approve', { participant_id: 7 })).blames('participant_id', 'a number as participant');
    (await bare(second.api, '_approve')).ok('approveDocument', 'approve without a body');
    (await act(restricted.api, id, '_sign', { comment: 'x' })).blames('comment', 'sign with a comment');
    const value = Buffer.from('no signature').toString('base64');
    (await act(restricted.api, id, '_sign', cms(t, value))).blames('signature', 'a signature in a SIMPLE slot');
    const signed = (await bare(restricted.api, '_sign')).ok('signDocument', 'sign without a body').document;
    t.equal(signed.status, t.spelling.document_status.COMPLETED, 'the status at the end');
    const kept = signed.files.some(({ file_type }) => file_type === t.spelling.file_type.SIGNATURE);
    t.check(!kept, 'there is a signature file of simple signatures');
  },
});
