import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { type Action, approval, cast, sent, signing, unchanged } from './shared/flow-calls.ts';
import { need } from './shared/needs.ts';

const ODD: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e308,
  true,
  '',
  ' ',
  'x',
  'a\u0000b',
  '\ud800',
  '__proto__',
  'x'.repeat(70_000),
  [],
  [[]],
  ['x'],
  [null],
  {},
  { $ne: null },
  { length: 1 },
];

/** A copy of a body in which the value at a path is replaced. */
function replaced(body: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>;
  copy[name] = replaced(copy[name], rest, value);
  return copy;
}

/** Paths of every value inside a body, without the body itself. */
function paths(body: unknown, at: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof body !== 'object' || body === null) return [];
  const names: (string | number)[] = Array.isArray(body) ? [...body.keys()] : Object.keys(body);
  return names.flatMap((name) => {
    const inner = [...at, name];
    return [inner, ...paths((body as Record<string | number, unknown>)[name], inner)];
  });
}

rule({
  id: 'FLOW-38',
  level: 'MUST',
  text: 'Odd values in any field of any move are refused as the caller’s mistake, and nothing moves.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-6a', 'D-18', 'D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const spread = t.as('full', { spread: true });
    // On this document the owner can do nothing, so even a value that the target takes as absent or valid has no effect.
    const going = await sent(t, full, [approval(second), signing(second)]);
    const bodies: Readonly<Partial<Record<Action, object>>> = {
      _set_route: {
        steps: [
          {
            step_type: t.spelling.step_type.SIGNING,
            rule: t.spelling.step_rule.ALL,
            participants: [{ employee_id: second.id, key_type: t.spelling.key_type.SIMPLE }],
          },
        ],
      },
      _approve: { participant_id: UNKNOWN_ID, comment: 'x' },
      _sign: { participant_id: UNKNOWN_ID, signature: { format: t.spelling.signature_format.CMS, value: 'AAAA' } },
      _reject: { comment: 'x', document_id: going.id, participant_id: UNKNOWN_ID },
    };
    const tries = Object.entries(bodies).flatMap(([action, body]) =>
      paths(body).flatMap((path) =>
        ODD.map((value) => ({ action: action as Action, path, body: replaced(body, path, value) })),
      ),
    );
    await t.mayWrite();
    // Several at a time, since one after another would take long.
    for (let at = 0; at < tries.length; at += 8) {
      await Promise.all(
        tries.slice(at, at + 8).map(async ({ action, path, body }) => {
          const answer = await spread.post(`/documents/${going.id}/${action}`, body);
          answer.fails(
            ['INVALID_ARGUMENT', 'DOCUMENT_INVALID_STATUS_TRANSITION'],
            `${action} with an odd ${path.join('.')}: ${JSON.stringify(body).slice(0, 200)}`,
          );
        }),
      );
    }
    await unchanged(full.api, going, `${tries.length} odd requests`);
  },
});
