import type { Answer } from '../answer.ts';
import { rule } from '../rule-test.ts';
import { act, approval, cast, outline, routed, sent, signing } from './flow-calls.ts';

const ROUNDS = 2;
const AT_ONCE = 6;

const winners = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

rule('FLOW-16', async (t) => {
  const { full, second } = cast(t);
  const spread = t.as('full', { spread: true });
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await sent(t, full, [approval(full), approval(second), signing(full)]);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => act(spread, id, '_approve')));
    t.equal(winners(answers), 1, `successes of ${AT_ONCE} approvals of one slot at once`);
    for (const answer of answers) {
      if (answer.status !== 200) answer.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'the others');
    }
    const after = (await full.api.get(`/documents/${id}`)).ok('getDocument').document;
    t.equal(
      outline(after),
      'ON_APPROVAL ACTIVE [APPROVAL COMPLETED APPROVED] [APPROVAL ACTIVE ACTIVE] [SIGNING PENDING PENDING]',
      'statuses after approvals at once',
    );
  }
});

rule('FLOW-25', async (t) => {
  const { full, second } = cast(t);
  const spread = t.as('full', { spread: true });
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await routed(t, full, [approval(second), signing(full)]);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => act(spread, id, '_send')));
    t.equal(winners(answers), 1, `successes of ${AT_ONCE} sends at once`);
    for (const answer of answers) {
      if (answer.status !== 200) answer.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'the others');
    }
  }
});

rule('FLOW-26', async (t) => {
  const who = cast(t);
  for (let round = 0; round < 3; round++) {
    const { id } = await sent(t, who.full, [signing(who.full, who.second, who.restricted)]);
    const answers = await Promise.all(Object.values(who).map(({ api }) => act(api, id, '_sign')));
    for (const answer of answers) answer.ok('signDocument', 'one of three signatures at the same time');
    const end = (await who.full.api.get(`/documents/${id}`)).ok('getDocument').document;
    t.equal(outline(end), 'COMPLETED COMPLETED [SIGNING COMPLETED SIGNED SIGNED SIGNED]', 'after all three signed');
    t.equal(
      end.files.map(({ file_type }) => file_type),
      ['FILE_TYPE_PDF', 'FILE_TYPE_SIGNED_PDF'],
      'files after three signatures at the same time',
    );
  }
});

rule('REJ-20', async (t) => {
  const { full, second } = cast(t);
  const spread = t.as('full', { spread: true });
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await sent(t, full, [approval(full, second), signing(second)]);
    const once = () => act(spread, id, '_reject', { comment: 'Нет.' });
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, once));
    t.equal(winners(answers), 1, `successes of ${AT_ONCE} rejections of one slot at once`);
    for (const answer of answers) if (answer.status !== 200) answer.fails('INVALID_ARGUMENT', 'the others');
    const after = (await full.api.get(`/documents/${id}`)).ok('getDocument').document;
    const end = 'REJECTED REJECTED [APPROVAL REJECTED REJECTED SKIPPED] [SIGNING CANCELLED PENDING]';
    t.equal(outline(after), end, 'statuses after rejections at once');
  }
});

rule('REJ-23', async (t) => {
  const { full, second } = cast(t);
  const spread = t.as('full', { spread: true });
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const { id } = await sent(t, full, [approval(full), signing(second)]);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        n % 2 === round % 2 ? act(spread, id, '_approve') : act(spread, id, '_reject', { comment: 'Нет.' }),
      ),
    );
    t.equal(winners(answers), 1, 'successes of approvals and rejections of one slot at once');
    const approved = answers.some(({ status, exchange }) => status === 200 && exchange.target.endsWith('_approve'));
    for (const answer of answers) {
      if (answer.status === 200) continue;
      answer.fails(['INVALID_ARGUMENT', 'DOCUMENT_INVALID_STATUS_TRANSITION'], 'the others');
    }
    const after = (await full.api.get(`/documents/${id}`)).ok('getDocument').document;
    t.equal(
      outline(after),
      approved
        ? 'ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [SIGNING ACTIVE ACTIVE]'
        : 'REJECTED REJECTED [APPROVAL REJECTED REJECTED] [SIGNING CANCELLED PENDING]',
      'statuses after approvals and rejections at once',
    );
  }
});
