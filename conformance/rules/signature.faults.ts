/** Faults that the rules of signature.rules.ts must catch. */

import { setHeader } from '../mutation/alter.ts';
import { endpointsOf, hex, seconds, signature, watching } from '../mutation/alter-deliveries.ts';
import { sign } from '../mutation/callbacks.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'sig-line-end',
    rule: 'SIG-5',
    breaks: 'a body with a line end is signed',
    delivery: signature((one) => {
      const t = seconds();
      setHeader(one, 'Service-Signature', `t=${t},v1=${hex(one.secret, `${t}.${one.body}\n`)}`);
    }),
  },
  {
    id: 'sig-one-for-all',
    rule: 'SIG-6',
    breaks: 'all endpoints are signed for with one secret',
    delivery: async (one, forward, memory) => {
      if (!memory.notes.has('s')) memory.notes.set('s', one.secret);
      const next = { ...one, headers: [...one.headers] };
      sign(next, seconds(), memory.notes.get('s') as string);
      return forward(next);
    },
  },
  {
    id: 'sig-deleted-secret-signs',
    rule: 'SIG-8',
    breaks: 'after its endpoint was deleted the old secret goes on signing',
    alter: watching(),
    delivery: async (one, forward, memory) => {
      const old = endpointsOf(memory).find(({ path, gone }) => gone && path === one.path);
      const next = { ...one, headers: [...one.headers] };
      if (old) sign(next, undefined, old.secret);
      return forward(next);
    },
  },
  {
    id: 'sig-new-secret-waits',
    rule: 'SIG-8',
    breaks: 'while the old endpoint is there its secret signs for both',
    alter: watching(),
    delivery: async (one, forward, memory) => {
      const old = endpointsOf(memory).find(({ path, gone }) => !gone && path === one.path);
      const next = { ...one, headers: [...one.headers] };
      if (old) sign(next, undefined, old.secret);
      return forward(next);
    },
  },
];
