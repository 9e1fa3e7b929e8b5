import { rulesWith } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { act, approval, cast, done, sent, signing, unchanged } from './shared/document-calls.ts';

const rule = rulesWith({ place: 'rejectDocument' });

const COMMENT = { comment: 'Не указан замещающий сотрудник.' };

const BLANKS = [' ', '\t\r\n', '\u00a0\u2003', '\u3000', '\u200b', '\u200b\u200d \ufeff', '\u2060', '\u00ad'];

rule({
  id: 'REJ-9',
  text: 'A rejection with a comment of white space or characters without width is treated as the target declares.',
  decisions: ['D-19'],
  check: async (t) => {
    const { full, second } = cast(t);
    const going = await sent(t, full, [approval(second), signing(full)]);
    if (t.values.blank_comment === 'accepted') {
      await done(second.api, going.id, '_reject', { comment: ' ' });
      return;
    }
    for (const comment of BLANKS) {
      (await act(second.api, going.id, '_reject', { comment })).blames('comment', JSON.stringify(comment));
    }
    await unchanged(full.api, going, 'blank comments');
    await done(second.api, going.id, '_reject', { comment: '\u200b х ' });
  },
});

rule({
  id: 'REJ-13',
  text: 'A rejection with an empty participant_id, or without one, is treated as the target declares.',
  decisions: ['D-6a', 'D-19'],
  check: async (t) => {
    const { full, second } = cast(t);
    for (const body of [COMMENT, { ...COMMENT, participant_id: '' }]) {
      const { id } = await sent(t, full, [approval(second), signing(full)]);
      if (t.values.omitted_participant_id === 'active_slot') await done(second.api, id, '_reject', body);
      else (await act(second.api, id, '_reject', body)).blames('participant_id', 'no slot named');
    }
  },
});

rule({
  id: 'REJ-18',
  text: 'A document_id in the body of a rejection that is not the path’s is treated as the target declares.',
  decisions: ['D-6a'],
  check: async (t) => {
    const { full, second } = cast(t);
    const steps = [approval(second), signing(full)];
    const [going, other] = [await sent(t, full, steps), await sent(t, full, steps)];
    const body = { ...COMMENT, document_id: other.id };
    if (t.values.body_id_mismatch === 'ignored') {
      await done(second.api, going.id, '_reject', body);
    } else {
      for (const document_id of [other.id, UNKNOWN_ID, 'x']) {
        (await act(second.api, going.id, '_reject', { ...COMMENT, document_id })).blames('document_id', document_id);
      }
      await unchanged(full.api, going, 'a rejection that names another document');
      const same = t.values.upper_case_id === 'understood' ? going.id.toUpperCase() : going.id;
      await done(second.api, going.id, '_reject', { ...COMMENT, document_id: same });
    }
    await unchanged(full.api, other, 'a rejection that names it in the body only');
  },
});
