import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { draft } from './shared/document-calls.ts';
import {
  type Action,
  act,
  actions,
  approval,
  cast,
  complete,
  completed,
  done,
  routed,
  sent,
  signing,
  signingOfAny,
  slotOf,
  unchanged,
} from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';

const STATE = 'DOCUMENT_INVALID_STATUS_TRANSITION';

rule({
  id: 'FLOW-3',
  level: 'MUST',
  text: 'A draft without a route cannot be sent, approved or signed, and stays a draft.',
  place: 'sendDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full } = cast(t);
    const document = await draft(t, full.api);
    (await act(full.api, document.id, '_send')).fails(STATE, 'send without a route');
    (await act(full.api, document.id, '_approve')).fails('INVALID_ARGUMENT', 'approve without a route');
    (await act(full.api, document.id, '_sign')).fails('INVALID_ARGUMENT', 'sign without a route');
    await unchanged(full.api, document, 'refused actions on a draft without a route');
    const own = await routed(t, full, [approval(full), signing(full)]);
    (await act(full.api, own.id, '_approve')).fails('INVALID_ARGUMENT', 'approve before the send');
    (await act(full.api, own.id, '_sign')).fails('INVALID_ARGUMENT', 'sign before the send');
    await unchanged(full.api, own, 'refused actions on a draft with a route');
  },
});

rule({
  id: 'FLOW-4',
  level: 'MUST',
  text: 'A repeated send is a state error wherever the document stands, and changes nothing.',
  place: 'sendDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), signing(restricted)]);
    const again = async (document: typeof going, when: string) => {
      (await act(full.api, document.id, '_send')).fails(STATE, `send ${when}`);
      await unchanged(full.api, document, `a repeated send ${when}`);
    };
    await again(going, 'in approval');
    await again(await done(second.api, going.id, '_approve'), 'in signing');
    await again(await done(restricted.api, going.id, '_sign'), 'after completion');
    const other = await sent(t, full, [signing(second)]);
    await again(await done(second.api, other.id, '_reject', { comment: 'Нет.' }), 'after rejection');
  },
});

/** Repeats an action at once, after further moves, after completion, with the slot named, and after a rejection. */
const repeated = (action: '_approve' | '_sign') => async (t: TestContext) => {
  const who = cast(t);
  const { full, second, restricted } = who;
  const plan = action === '_approve' ? [approval(second, restricted), signing(full)] : [signing(second, restricted)];
  const going = await sent(t, full, plan);
  const participant_id = slotOf(t, going, 0, second);
  const again = async (document: typeof going, when: string) => {
    for (const body of [{}, { participant_id }]) {
      (await act(second.api, document.id, action, body)).fails(STATE, `${action} again ${when}`);
    }
    await unchanged(full.api, document, `${action} repeated ${when}`);
  };
  const first = await done(second.api, going.id, action);
  await again(first, 'while others are still to act');
  const next = await done(restricted.api, going.id, action);
  await again(next, 'after the step was completed');
  if (action === '_approve') await again(await complete(t, next, who), 'after completion');
  const other = await sent(t, full, plan);
  await done(second.api, other.id, action);
  const rejected = await done(restricted.api, other.id, '_reject', { comment: 'Нет.' });
  (await act(second.api, other.id, action)).fails(STATE, `${action} again after somebody else rejected`);
  await unchanged(full.api, rejected, `${action} repeated after rejection`);
};

rule({
  id: 'FLOW-5',
  level: 'MUST',
  text: 'A repeated approval is a state error, also after completion or rejection, and changes nothing.',
  place: 'approveDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: repeated('_approve'),
});
rule({
  id: 'FLOW-6',
  level: 'MUST',
  text: 'A repeated signature is a state error, also after completion, and creates nothing.',
  place: 'signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: repeated('_sign'),
});

rule({
  id: 'FLOW-7',
  level: 'MUST',
  text: 'A slot whose turn has not come cannot act.',
  place: 'approveDocument, signDocument',
  decisions: ['D-15', 'D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), approval(full), signing(restricted, full)]);
    const own = [1, 2].map((index) => slotOf(t, going, index, full));
    for (const participant_id of [undefined, ...own]) {
      for (const action of ['_approve', '_sign'] as const) {
        (await act(full.api, going.id, action, { participant_id })).fails('INVALID_ARGUMENT', `${action} out of turn`);
      }
    }
    for (const action of ['_approve', '_sign'] as const) {
      (await act(restricted.api, going.id, action)).fails(
        'DOCUMENT_NOT_FOUND',
        `${action} before one sees the document`,
      );
    }
    await unchanged(full.api, going, 'actions out of turn');
  },
});

rule({
  id: 'FLOW-8',
  level: 'MUST',
  text: 'Nobody can act in the slot of somebody else, or without a slot.',
  place: 'approveDocument, signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second, restricted), signing(full)]);
    const theirs = slotOf(t, going, 0, second);
    const other = await sent(t, full, [approval(restricted), signing(full)]);
    const elsewhere = slotOf(t, other, 0, restricted);
    (await act(full.api, going.id, '_approve')).fails('INVALID_ARGUMENT', 'approve without a slot in the step');
    for (const [what, participant_id] of [
      ['the slot of somebody else', theirs],
      ['one’s slot in another document', elsewhere],
      ['an unknown slot', UNKNOWN_ID],
      ['the employee’s id', restricted.id],
      ['the document’s id', going.id],
      ['no id at all', 'x'],
    ] as const) {
      (await act(restricted.api, going.id, '_approve', { participant_id })).fails('INVALID_ARGUMENT', what);
      (await act(full.api, going.id, '_approve', { participant_id })).fails('INVALID_ARGUMENT', `${what}, by full`);
    }
    await unchanged(full.api, going, 'approvals in the slots of others');
    const slot = slotOf(t, going, 0, restricted);
    const participant_id = t.values.upper_case_id === 'understood' ? slot.toUpperCase() : slot;
    (await act(restricted.api, going.id, '_approve', { participant_id })).ok('approveDocument', 'one’s own slot');
    const signed = await sent(t, full, [signingOfAny(second, restricted)]);
    (await act(restricted.api, signed.id, '_sign', { participant_id: slotOf(t, signed, 0, second) })).fails(
      'INVALID_ARGUMENT',
      'sign in the slot of somebody else',
    );
    await unchanged(full.api, signed, 'a signature in the slot of another');
    const own = { participant_id: slotOf(t, signed, 0, restricted) };
    (await act(restricted.api, signed.id, '_sign', own)).ok('signDocument', 'one’s own slot');
  },
});

rule({
  id: 'FLOW-21',
  level: 'MUST',
  text: 'Approving in a signing step, or signing in an approval step, is INVALID_ARGUMENT.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), signing(restricted)]);
    (await act(second.api, going.id, '_sign')).fails('INVALID_ARGUMENT', 'sign in an approval step');
    await unchanged(full.api, going, 'a signature in an approval step');
    const next = await done(second.api, going.id, '_approve');
    (await act(restricted.api, going.id, '_approve')).fails('INVALID_ARGUMENT', 'approve in a signing step');
    await unchanged(full.api, next, 'an approval in a signing step');
  },
});

const bodyOf = (steps: unknown): Readonly<Record<Action, object>> => ({
  _set_route: { steps },
  _send: {},
  _approve: {},
  _sign: {},
  _reject: { comment: 'Нет.' },
});

rule({
  id: 'FLOW-22',
  level: 'MUST',
  text: 'REJECTED is final: nothing moves a rejected document.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const going = await sent(t, full, [approval(full), approval(second, restricted), signing(full)]);
    await done(full.api, going.id, '_approve');
    const rejected = await done(second.api, going.id, '_reject', { comment: 'Нет.' });
    const bodies = bodyOf([signing(second)]);
    const expected = {
      full: { _set_route: [STATE], _send: [STATE], _approve: [STATE], _sign: ['INVALID_ARGUMENT', STATE], _reject: [] },
      second: {
        _set_route: [],
        _send: [],
        _approve: [STATE, 'INVALID_ARGUMENT'],
        _sign: [STATE, 'INVALID_ARGUMENT'],
        _reject: [],
      },
      restricted: { _set_route: [], _send: [], _approve: [], _sign: [], _reject: [] },
    } as const;
    for (const name of ['full', 'second', 'restricted'] as const) {
      for (const action of actions) {
        const initiators = action === '_set_route' || action === '_send';
        const usual = initiators ? 'DOCUMENT_ACTION_NOT_ALLOWED' : 'INVALID_ARGUMENT';
        const errors = expected[name][action];
        (await act(who[name].api, going.id, action, bodies[action])).fails(
          errors.length > 0 ? errors : usual,
          `${action} by ${name} on a rejected document`,
        );
      }
    }
    await unchanged(full.api, rejected, 'every action on a rejected document');
  },
});

rule({
  id: 'FLOW-23',
  level: 'MUST',
  text: 'Every action on an unknown, foreign or invisible document is 404, on a malformed id as the target declares.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-5', 'D-14'],
  needs: together(need.threeOwners, { keys: ['other_tenant'] }),
  check: async (t) => {
    const { full, second } = cast(t);
    const own = await routed(t, full, [approval(second), signing(full)]);
    const bodies = bodyOf([signing(full)]);
    const foreign = t.as('other_tenant');
    /** An error without the parts that differ from request to request. */
    const plain = (answer: { json: unknown }) =>
      JSON.stringify(answer.json, (name, value: unknown) => (name === 'request_id' ? '' : value));
    for (const action of actions) {
      const body = bodies[action];
      const unknown = (await act(second.api, UNKNOWN_ID, action, body)).fails(
        'DOCUMENT_NOT_FOUND',
        `${action}: unknown`,
      );
      const invisible = (await act(second.api, own.id, action, body)).fails(
        'DOCUMENT_NOT_FOUND',
        `${action}: invisible`,
      );
      t.equal(plain(invisible), plain(unknown), `${action}: an invisible document and an unknown one`, invisible);
      (await act(foreign, own.id, action, body)).fails('DOCUMENT_NOT_FOUND', `${action}: of another tenant`);
      for (const id of ['x', `${own.id}0`, own.id.slice(0, -1), own.id.replaceAll('-', '')]) {
        const wanted = t.values.malformed_document_id === 'not_found' ? 'DOCUMENT_NOT_FOUND' : 'INVALID_ARGUMENT';
        (await act(full.api, id, action, body)).fails(wanted, `${action}: malformed id`);
      }
    }
    await unchanged(full.api, own, 'actions that did not find it');
  },
});

rule({
  id: 'FLOW-32',
  level: 'MUST',
  text: 'A signature in a SIMPLE slot is INVALID_ARGUMENT.',
  place: 'signDocument',
  decisions: ['D-21'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const going = await sent(t, full, [signing(second)]);
    const value = Buffer.from('no signature').toString('base64');
    (
      await act(second.api, going.id, '_sign', { signature: { format: t.spelling.signature_format.CMS, value } })
    ).blames('signature', 'a signature in a SIMPLE slot');
    await unchanged(full.api, going, 'a signature in a SIMPLE slot');
    const end = await completed(t, cast(t));
    t.equal(
      end.files.filter(({ file_type }) => file_type === t.spelling.file_type.SIGNATURE),
      [],
      'signature files of simple signatures',
    );
  },
});
