/** Faults that the rules of lists-tokens.rules.ts must catch. */
import type { OperationId } from '../../generated/operations.ts';
import { answers, asks, denies, keyed, keyOf, parse, refuses, rowsOf } from '../mutation/alter.ts';
import { isLater, onlyDefault, unbound } from '../mutation/alter-lists.ts';
import type { Alter, Fault } from '../mutation/fault.ts';
import { type TokenAspect, tokenRule } from './lists-tokens.rules.ts';
import { type PagedList, pagedLists } from './shared/paged-lists.ts';

type Wrong = readonly [breaks: string, alter: Alter];
type AboutWrong = readonly [about: string, wrong: Wrong];

const wrong = (about: string, breaks: string, alter: Alter): AboutWrong => [about, [breaks, alter]];

/** Accepts a damaged page token if it resembles an issued one. */
const forgiving =
  (isTaken: (given: string, token: string) => boolean): Alter =>
  async (asked, forward, memory) => {
    const given = new URLSearchParams(asked.target.split('?')[1]).get('page_token') ?? '';
    const known = (memory.notes.get('tokens') ?? []) as string[];
    const token = given === '' || known.includes(given) ? undefined : known.find((one) => isTaken(given, one));
    const answer = await forward(
      token === undefined
        ? asked
        : { ...asked, target: asked.target.replace(encodeURIComponent(given), token).replace(given, token) },
    );
    const next = parse(answer.body)?.next_page_token;
    if (next) memory.notes.set('tokens', [...known, next]);
    return answer;
  };

/** The first list gets every forgery. */
const forgeries: readonly Wrong[] = [
  [
    'counts without its last letter',
    forgiving((given, token) => given.length === token.length && given.slice(0, -1) === token.slice(0, -1)),
  ],
  ['counts although something follows it', forgiving((given, token) => given.startsWith(token))],
  ['counts in any case', forgiving((given, token) => given.toLowerCase() === token.toLowerCase())],
];

const ofAspect = (list: OperationId): Readonly<Record<TokenAspect, Wrong>> => ({
  forged: ['that is malformed means the first page', unbound],
  'of-another-list': ['of another list is taken', unbound],
  'of-another-tenant': ['of another tenant is taken', unbound],
  'of-another-owner': [
    'shows what its maker sees',
    keyed((asked) => asked.operation === list && isLater(asked), 'any', 'full'),
  ],
  'of-another-key': [
    'works with one key only',
    refuses(list, 'INVALID_ARGUMENT', (asked, memory) => keyOf(asked) === memory.key('second_key_same_owner')),
  ],
  'of-another-process': [
    'works in the process that made it',
    denies((asked) => asked.replica && isLater(asked), 'INVALID_ARGUMENT', 'page_token'),
  ],
  opaque: [
    'is base64 of the last id and the offset',
    answers(list, (json) => {
      const { id } = rowsOf(json).rows.at(-1) ?? {};
      if (json.next_page_token)
        json.next_page_token = Buffer.from(JSON.stringify({ id, offset: 2 })).toString('base64url');
    }),
  ],
  empty: [
    'that is given twice counts once',
    asks(list, (asked) => {
      if (asked.target.split('page_token=').length > 2) asked.target = asked.target.replace(/page_token=[^&]*&/, '');
    }),
  ],
});

const has = (target: string, name: string) => new RegExp(`[?&]${name}=`).test(target);

/** Whether the values of a parameter are in the order in which a rule does not ask for the first page. */
function isTurned(target: string, name: string): boolean {
  const values = new URLSearchParams(target.split('?')[1]).getAll(name);
  return values.join() !== [...values].sort().join();
}

/** Every owner in the tenant for mutation tests sees all of this list, so no token of it can widen rights. */
const SEEN_BY_ALL = 'listDocumentCategories.of-another-owner';

/** Lists of which the tenant for mutation tests has more rows than a page without a limit. */
const LONG: readonly OperationId[] = ['listEmployees', 'listDocumentTypes'];

const ofParameters = ({ operationId: list, filters, changeable }: PagedList): AboutWrong[] => {
  const laterIs = (when: (target: string) => boolean) =>
    refuses(list, 'INVALID_ARGUMENT', ({ target }) => isLater({ target }) && when(target));
  return [
    ...['limit', ...filters.map(({ name }) => name)].map((name) =>
      wrong(name, `is taken with another ${name}`, unbound),
    ),
    ...filters
      .filter(({ repeated }) => repeated)
      .map(({ name }) => {
        const alter = laterIs((target) => isTurned(target, name));
        return wrong(name, `is bound to the order of ${name}`, alter);
      }),
    ...(LONG.includes(list)
      ? [wrong('limit', 'tells a limit left out from the default', onlyDefault(list, '50'))]
      : []),
    ...changeable.map(({ name }) =>
      wrong(
        name,
        `is bound to ${name}`,
        laterIs((target) => has(target, name)),
      ),
    ),
    ...changeable
      .filter(({ schema }) => schema.types.includes('boolean'))
      .map(({ name }) => {
        const alter = answers(list, (json) => {
          json.total_count ??= '5';
        });
        return wrong(name, 'comes with a total_count that nobody asked for', alter);
      }),
  ];
};

export const faults: readonly Fault[] = pagedLists.flatMap((list, place) => {
  const wrongs: AboutWrong[] = [
    ...Object.entries(ofAspect(list.operationId)),
    ...(place === 0 ? forgeries.map((forgery): AboutWrong => ['forged', forgery]) : []),
    ...ofParameters(list),
  ];
  const possible = wrongs.filter(([about]) => `${list.operationId}.${about}` !== SEEN_BY_ALL);
  return possible.map(([about, [breaks, alter]], nth) => ({
    id: `token-${list.operationId}.${about}-${nth}`,
    rule: tokenRule(list, about)[0],
    breaks: `a page token of ${list.operationId} ${breaks}`,
    alter,
  }));
});
