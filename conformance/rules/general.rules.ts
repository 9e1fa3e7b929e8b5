import { rule } from './rule.ts';
import { all, callOf, claimed } from './shared/calls.ts';

rule({
  id: 'GEN-1',
  text: 'Every operation is served under /developer/v1, an addition of a release if, and only if, the target claims it; the same path without that prefix is not.',
  place: 'paths, x-since',
  check: async (t) => {
    const full = t.asAny('full');
    const ours = claimed(t);
    for (const operation of all) {
      const call = callOf(operation);
      const answer = await full.send(call);
      const isLost = answer.status === 501 || ['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(answer.code ?? '');
      t.equal(!isLost, ours.includes(operation), `whether ${operation.operationId} is served`, answer);
      const bare = await full.send({ ...call, path: call.path.replace('/developer/v1', '') });
      // Something else may be there, such as pages for people. But a JSON answer must say that there is no such path.
      const other = !/json/i.test(bare.header('content-type') ?? '') && bare.status < 500;
      const isAbsent = bare.status === 404 || other;
      t.check(isAbsent, `${operation.operationId} without the prefix: expected 404, got ${bare.brief}`, bare);
    }
  },
});
