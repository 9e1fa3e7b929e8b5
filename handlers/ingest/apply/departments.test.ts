/** The places of departments: any order, cycles, depth. */
import { describe, expect, test } from '@jest/globals';
import { DEEPEST, type Entry, placeAll } from './departments.ts';

const entry = (id: string, parentId?: string, ...unresolved: Entry['unresolved']): Omit<Entry, 'index'> => ({
  id,
  parentId,
  unresolved,
  organizationId: undefined,
});

/** Places by id: the ids from the department up to the top, or why it is skipped. */
function place(wanted: readonly Omit<Entry, 'index'>[], tree: Readonly<Record<string, string>> = {}) {
  const placements = placeAll(
    wanted.map((each, index) => ({ ...each, index })),
    new Map(Object.entries(tree)),
  );
  return wanted.map(({ id }, index) => {
    const placement = placements.get(index);
    if (placement === undefined) throw new Error(`no place for ${id}`);
    if ('unknown' in placement) return `${placement.unknown} unknown`;
    return 'skipped' in placement ? placement.skipped : placement.ancestorIds.join(' ');
  });
}

const CYCLE = 'It stands in a cycle of departments.';
const UNKNOWN = 'parent unknown';
const TOO_DEEP = `It would stand more than ${DEEPEST} levels deep.`;

describe('placeAll', () => {
  test('takes known parents and unchanged ones', () => {
    expect(place([entry('b', ''), entry('d', 'c')], { a: '', b: 'a', c: 'b' })).toEqual(['b', 'd c b']);
    expect(place([entry('c')], { a: '', b: 'a', c: 'b' })).toEqual(['c b a']);
  });

  test.each([
    ['what stands below it already', [entry('a', 'c')], { a: '', b: 'a', c: 'b' }, [CYCLE]],
    [
      'what is below a cycle of new ones',
      [entry('a', 'b'), entry('b', 'a'), entry('c', 'a')],
      {},
      [CYCLE, CYCLE, UNKNOWN],
    ],
    [
      'what is below a cycle of old ones stays',
      [entry('a', 'b'), entry('b', 'a'), entry('c', 'a')],
      { a: '', b: 'a' },
      [CYCLE, CYCLE, 'c a'],
    ],
  ])('skips a cycle: %s', (_, wanted, tree, places) => {
    expect(place(wanted, tree)).toEqual(places);
  });

  test('may swap two departments without a cycle', () => {
    expect(place([entry('a', 'b'), entry('b', '')], { a: '', b: 'a' })).toEqual(['a b', 'b']);
  });

  test('leaves a skipped department where it was, and skips what that turns into a cycle', () => {
    const wanted = [entry('a', 'b'), entry('b', 'b')];
    expect(place(wanted, { a: '', b: 'a' })).toEqual([CYCLE, CYCLE]);
  });

  test('skips everything below a new department that is skipped', () => {
    const wanted = [entry('d', 'c'), entry('c', 'b'), entry('b', 'a'), entry('a', '', 'organization')];
    expect(place(wanted)).toEqual([UNKNOWN, UNKNOWN, UNKNOWN, 'organization unknown']);
    expect(place(wanted, { d: 'e', e: '' })).toEqual(['d e', UNKNOWN, UNKNOWN, 'organization unknown']);
  });

  test('leaves an existing department as it is where its reference is unknown', () => {
    const tree = { a: '', b: 'a' };
    expect(place([entry('b', undefined, 'parent'), entry('c', 'b', 'parent')], tree)).toEqual(['b a', UNKNOWN]);
    expect(place([entry('b', '', 'organization')], tree)).toEqual(['b']);
  });

  test('skips departments below the deepest level', () => {
    const chain = Array.from({ length: DEEPEST + 2 }, (_, n) => entry(`${n}`, n === 0 ? '' : `${n - 1}`));
    const places = place(chain);
    expect(places[DEEPEST - 1]?.split(' ')).toHaveLength(DEEPEST);
    expect(places.slice(DEEPEST)).toEqual([TOO_DEEP, TOO_DEEP]);
    expect(
      place([...chain.slice(0, DEEPEST), entry('new', '50')])
        .at(-1)
        ?.split(' '),
    ).toHaveLength(52);
  });

  test('does not move a department when one below it would be too deep', () => {
    const chain = Array.from({ length: DEEPEST }, (_, n) => [`n${n}`, n === 0 ? '' : `n${n - 1}`]);
    const tree = { ...Object.fromEntries(chain), top: '', moved: '', below: 'moved' };
    expect(place([entry('moved', `n${DEEPEST - 2}`)], tree)).toEqual([TOO_DEEP]);
    expect(place([entry('moved', `n${DEEPEST - 3}`)], tree)[0]?.split(' ')).toHaveLength(DEEPEST - 1);
  });

  test('places 10,000 departments in one circle, and in one line, quickly', () => {
    const ring = Array.from({ length: 10_000 }, (_, n) => entry(`${n}`, `${(n + 1) % 10_000}`));
    expect(new Set(place(ring))).toEqual(new Set([CYCLE]));
    const line = ring.slice(0, -1);
    expect(place([...line, entry('9999')]).filter((text) => text === TOO_DEEP)).toHaveLength(10_000 - DEEPEST);
  });
});
