/** Faults that the rules of logs.rules.ts must catch. */
import { header, refused } from '../mutation/alter.ts';
import { type Alter, type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

/** The target logs a canary, as the id of the request that brought it. */
const logging =
  (part: (asked: ProxiedRequest) => string): Alter =>
  (asked, forward) => {
    const [canary] = /canary[0-9a-f]{18}/.exec(part(asked)) ?? [];
    if (canary === undefined) return forward(asked);
    return forward({
      ...asked,
      headers: [...asked.headers.filter(([name]) => name !== 'X-Request-Id'), ['X-Request-Id', canary]],
    });
  };

const logged = (what: string, part: (asked: ProxiedRequest) => string): Fault => ({
  id: `priv-log-${what}`,
  rule: 'PRIV-8',
  breaks: `the ${what} of a request is logged`,
  alter: logging(part),
});

export const faults: readonly Fault[] = [
  ...faultsOf({
    'PRIV-10': { 'priv-log-address': ['the address of an endpoint is logged', logging(({ body }) => body.toString())] },
    'PRIV-9': {
      'priv-log-id-lost': [
        'the id of a request that failed is not the one in the logs',
        header('X-Request-Id', crypto.randomUUID(), refused),
      ],
    },
  }),
  logged('path', ({ target }) => target.split('?')[0] ?? ''),
  logged('query', ({ target }) => target.split('?')[1] ?? ''),
  logged('body', ({ body }) => body.toString()),
  logged('headers', ({ headers }) => JSON.stringify(headers)),
];
