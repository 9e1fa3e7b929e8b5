/** Key, flag and scope: what every operation asks before it looks at anything else of a request. */
import type { Operation, Scope } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Call } from '../http/api.ts';
import { keyOfScope } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { all, callOf, metadataOf, NO_SUCH_PARAMETER } from './shared/calls.ts';

/** The same call with everything wrong that a gate must not look at: parameter, id, media type, JSON, Idempotency-Key. */
function broken(operation: Operation): Call {
  const { method, path } = callOf(operation, 'x');
  const query = { [NO_SUCH_PARAMETER]: '1' };
  const body = operation.body === 'none' ? {} : { raw: '{', contentType: 'text/plain' };
  return { method, path, absolute: true, query, ...body };
}

async function mustNeedScope(t: TestContext, operation: Operation, scope: Scope): Promise<void> {
  const none = t.as('no_scope');
  const calls: [string, Call][] = [
    ['a right request', callOf(operation)],
    ['a broken request', broken(operation)],
  ];
  if (operation.body !== 'none' && operation.bodyLimitBytes === t.values.body_limit_bytes) {
    const raw = Buffer.alloc(t.values.body_limit_bytes + 1, 0x20);
    calls.push(['a body beyond the limit', { ...broken(operation), raw }]);
  }
  for (const [what, call] of calls) {
    const answer = (await none.send(call)).fails('SCOPE_INSUFFICIENT', `${what} without any scope`);
    t.equal(metadataOf(answer, 'required_scope'), scope, 'the scope that the refusal names', answer);
  }
  for (const [other, name] of Object.entries(keyOfScope)) {
    if (other === scope || !t.has(name)) continue;
    (await t.as(name).send(callOf(operation))).fails('SCOPE_INSUFFICIENT', `with the scope ${other} only`);
  }
}

for (const operation of all) {
  const { operationId, scope } = operation;
  const common = { place: operationId, decisions: ['D-6'] } as const;
  rule({
    ...common,
    id: `AUTH-${operationId}`,
    family: 'key',
    text: `${operationId} answers 401 API_KEY_INVALID without a key and with an unknown one, whatever else is wrong.`,
    check: async (t) => {
      const nobody = t.anonymous();
      for (const call of [callOf(operation), broken(operation)]) {
        const without = (await nobody.send(call)).fails('API_KEY_INVALID', 'without a key');
        t.check((without.header('www-authenticate') ?? '') !== '', 'a 401 needs WWW-Authenticate (RFC 9110)', without);
        const headers = { ...(call.headers as object), 'X-API-Key': 'wrong' };
        (await nobody.send({ ...call, headers })).fails('API_KEY_INVALID', 'with an unknown key');
      }
    },
  });
  rule({
    ...common,
    id: `FLAG-${operationId}`,
    family: 'flag',
    text: `${operationId} answers FEATURE_FLAG_OFF while the interface is off for the tenant, whatever else is wrong.`,
    check: async (t) => {
      const off = t.as('flag_off');
      (await off.send(callOf(operation))).fails('FEATURE_FLAG_OFF', 'a right request');
      (await off.send(broken(operation))).fails('FEATURE_FLAG_OFF', 'a broken request');
    },
  });
  rule({
    ...common,
    id: `SCOPE-${operationId}`,
    family: 'scope',
    text:
      scope === null
        ? `${operationId} needs no scope.`
        : `${operationId} needs the scope ${scope}: without it the answer names it, whatever other scopes there are and whatever else is wrong; with it alone a key passes.`,
    check: async (t) => {
      if (scope !== null) await mustNeedScope(t, operation, scope);
      const passed = await t.as(scope === null ? 'no_scope' : keyOfScope[scope]).send(callOf(operation));
      t.check(passed.status !== 401 && passed.status !== 403, `with the right scope alone: ${passed.brief}`, passed);
    },
  });
}
