import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { rejection } from './shared/document-calls.ts';
import { act, approval, approvalOfAny, cast, outline, routed, sent, signing } from './shared/flow-calls.ts';
import { need } from './shared/needs.ts';

const ROUNDS = 2;
const AT_ONCE = 6;

const winners = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

rule({
  id: 'FLOW-16',
  level: 'MUST',
  text: 'Of simultaneous approvals of one slot exactly one succeeds.',
  place: 'approveDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
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
        outline(t, after),
        'ON_APPROVAL ACTIVE [APPROVAL COMPLETED APPROVED] [APPROVAL ACTIVE ACTIVE] [SIGNING PENDING PENDING]',
        'statuses after approvals at once',
      );
    }
  },
});

rule({
  id: 'FLOW-25',
  level: 'MUST',
  text: 'Of simultaneous sends exactly one succeeds.',
  place: 'sendDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
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
  },
});

rule({
  id: 'FLOW-26',
  level: 'MUST',
  text: 'Simultaneous signatures of different participants are all kept.',
  place: 'signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    for (let round = 0; round < 3; round++) {
      const { id } = await sent(t, who.full, [signing(who.full, who.second, who.restricted)]);
      const answers = await Promise.all(Object.values(who).map(({ api }) => act(api, id, '_sign')));
      for (const answer of answers) answer.ok('signDocument', 'one of three signatures at the same time');
      const end = (await who.full.api.get(`/documents/${id}`)).ok('getDocument').document;
      t.equal(
        outline(t, end),
        'COMPLETED COMPLETED [SIGNING COMPLETED SIGNED SIGNED SIGNED]',
        'after all three signed',
      );
      t.equal(
        end.files.map(({ file_type }) => file_type),
        [t.spelling.file_type.PDF, t.spelling.file_type.SIGNED_PDF],
        'files after three signatures at the same time',
      );
    }
  },
});

rule({
  id: 'FLOW-36',
  level: 'MUST',
  text: 'Under ANY exactly one of simultaneous approvals by different participants counts.',
  place: 'approveDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const { id } = await sent(t, full, [approvalOfAny(full, second, restricted), signing(full)]);
      const answers = await Promise.all([full, second, restricted].map(({ api }) => act(api, id, '_approve')));
      t.equal(winners(answers), 1, 'successes of three approvals at once of which one is enough');
      for (const answer of answers) if (answer.status !== 200) answer.fails('INVALID_ARGUMENT', 'the others');
      const slots = answers.map(({ status }) => (status === 200 ? 'APPROVED' : 'SKIPPED'));
      const after = (await full.api.get(`/documents/${id}`)).ok('getDocument').document;
      const expected = `ON_SIGN ACTIVE [APPROVAL COMPLETED ${slots.join(' ')}] [SIGNING ACTIVE ACTIVE]`;
      t.equal(outline(t, after), expected, 'statuses after three approvals at once');
    }
  },
});

rule({
  id: 'FLOW-37',
  level: 'MUST',
  text: 'A route that is set at the moment of the send is either the one that is sent, or refused.',
  place: 'setDocumentRoute, sendDocument',
  decisions: ['D-18', 'D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const spread = t.as('full', { spread: true });
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const { id } = await routed(t, full, [signing(second)]);
      const set = () => act(spread, id, '_set_route', { steps: [approval(second), signing(full)] });
      const send = () => act(spread, id, '_send');
      const [first, last] = await Promise.all(round % 2 === 0 ? [set(), send()] : [send(), set()]);
      const [routing, sending] = round % 2 === 0 ? [first, last] : [last, first];
      sending.ok('sendDocument', 'a send at the moment at which the route is set again');
      if (routing.status !== 200) routing.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'the route that came too late');
      const after = (await full.api.get(`/documents/${id}`)).ok('getDocument').document;
      t.equal(
        outline(t, after),
        routing.status === 200
          ? 'ON_APPROVAL ACTIVE [APPROVAL ACTIVE ACTIVE] [SIGNING PENDING PENDING]'
          : 'ON_SIGN ACTIVE [SIGNING ACTIVE ACTIVE]',
        'the route that was sent',
      );
    }
  },
});

rule({
  id: 'REJ-20',
  level: 'MUST',
  text: 'Of simultaneous rejections of one slot exactly one succeeds.',
  place: 'rejectDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const spread = t.as('full', { spread: true });
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await sent(t, full, [approval(full, second), signing(second)]);
      const body = await rejection(full.api, id, full.id);
      const once = () => act(spread, id, '_reject', body);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, once));
      t.equal(winners(answers), 1, `successes of ${AT_ONCE} rejections of one slot at once`);
      for (const answer of answers) if (answer.status !== 200) answer.fails('INVALID_ARGUMENT', 'the others');
      const after = (await full.api.get(`/documents/${id}`)).ok('getDocument').document;
      const end = 'REJECTED REJECTED [APPROVAL REJECTED REJECTED SKIPPED] [SIGNING CANCELLED PENDING]';
      t.equal(outline(t, after), end, 'statuses after rejections at once');
    }
  },
});

rule({
  id: 'REJ-23',
  level: 'MUST',
  text: 'Of a rejection and an approval of one slot at the same time exactly one succeeds.',
  place: 'rejectDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const spread = t.as('full', { spread: true });
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const { id } = await sent(t, full, [approval(full), signing(second)]);
      const body = await rejection(full.api, id, full.id);
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          n % 2 === round % 2 ? act(spread, id, '_approve') : act(spread, id, '_reject', body),
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
        outline(t, after),
        approved
          ? 'ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [SIGNING ACTIVE ACTIVE]'
          : 'REJECTED REJECTED [APPROVAL REJECTED REJECTED] [SIGNING CANCELLED PENDING]',
        'statuses after approvals and rejections at once',
      );
    }
  },
});
