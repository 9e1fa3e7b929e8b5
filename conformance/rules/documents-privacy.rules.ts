import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import {
  type Action,
  type Actor,
  act,
  approval,
  cast,
  rejection,
  routed,
  sent,
  signing,
  slotOf,
  titleOf,
} from './shared/document-calls.ts';
import { personalValuesOf } from './shared/personal-values.ts';

rule({
  id: 'PRIV-1',
  text: 'No answer about a document, errors included, holds a name, number, position or contact of any participant.',
  place: 'Document',
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const personalValues = await personalValuesOf(t, [full.id, second.id, restricted.id]);
    t.check(personalValues.length >= 15, 'the participants have hardly any personal values to look for');
    const hidesAll = (answer: Answer, what: string) => {
      const found = personalValues.find((value) => answer.text.includes(value));
      t.check(found === undefined, `${what}: the answer holds a personal value of a participant`, answer);
      return answer;
    };
    const steps = [approval(second, restricted), signing(restricted, full)];
    const document = await routed(t, full, steps);
    const { id } = document;
    const look = async ({ api, name }: Actor, when: string) => {
      for (const path of [`/documents/${id}`, `/documents/${id}/_download`])
        hidesAll(await api.get(path), `${path} ${when}`);
      hidesAll(await api.get('/documents', { search: document.title }), `the list of ${name} ${when}`);
    };
    const doing = async (actor: Actor, action: Action, body: unknown, what: string) =>
      hidesAll(await act(actor.api, id, action, body), what);
    await look(full, 'before the send');
    await look(second, 'before it is visible');
    await doing(full, '_set_route', { steps: [{ ...steps[0], rule: 'x' }] }, 'a wrong route');
    await doing(full, '_set_route', { steps: [signing(full, second, full)] }, 'an employee twice in a step');
    await doing(
      full,
      '_set_route',
      { steps: [{ step_type: t.spelling.step_type.SIGNING, participants: [{ employee_id: UNKNOWN_ID }] }] },
      'an unknown participant',
    );
    await doing(full, '_send', {}, 'the send');
    await doing(full, '_send', {}, 'a repeated send');
    await doing(second, '_set_route', { steps }, 'a route by a participant');
    await doing(second, '_reject', { comment: '' }, 'an empty comment');
    await doing(second, '_approve', { participant_id: slotOf(t, document, 0, restricted) }, 'a foreign slot');
    await doing(full, '_approve', {}, 'an approval without a slot');
    await look(second, 'in approval');
    await doing(second, '_approve', { comment: titleOf(t, 'согласовано') }, 'an approval');
    await doing(second, '_approve', {}, 'a repeated approval');
    await doing(restricted, '_approve', {}, 'the second approval');
    await doing(restricted, '_sign', {}, 'a signature');
    await doing(full, '_sign', {}, 'the last signature');
    await look(restricted, 'after completion');
    const end = hidesAll(await full.api.get(`/documents/${id}`), 'the document at its end').ok('getDocument').document;
    t.equal(end.status, t.spelling.document_status.COMPLETED, 'the status of the document whose answers were searched');
    const other = await sent(t, full, [approval(second), signing(restricted)]);
    const body = await rejection(second.api, other.id, second.id, titleOf(t, 'отклонено'));
    const rejected = hidesAll(await act(second.api, other.id, '_reject', body), 'a rejection').ok('rejectDocument');
    t.equal(rejected.document.status, t.spelling.document_status.REJECTED, 'the status after the rejection');
    hidesAll(await full.api.get(`/documents/${other.id}`), 'the rejected document');
  },
});
