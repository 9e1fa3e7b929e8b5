import { afterEach, describe, expect, test } from '@jest/globals';
import { Coordinator } from './coordinator.ts';
import { Link } from './link.ts';

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function started(maxWrites = 10) {
  const seen: string[] = [];
  const coordinator = new Coordinator({
    maxWrites,
    failedAuthPerSecond: 100,
    onDone: ({ rule, status }) => seen.push(`${rule} ${status}`),
  });
  const port = await coordinator.listen();
  open.push(coordinator);
  const link = () => {
    const made = new Link(port);
    open.push(made);
    return made;
  };
  return { coordinator, link, seen };
}

describe('the coordinator', () => {
  test('paces the requests of a key across all workers', async () => {
    const { link } = await started();
    const [a, b] = [link(), link()];
    const begin = performance.now();
    await Promise.all(Array.from({ length: 18 }, (_, n) => (n % 2 ? a : b).slot(['K'])));
    expect(performance.now() - begin).toBeGreaterThanOrEqual(245);
  });

  test('spreads requests over equivalent keys', async () => {
    const { link } = await started();
    const one = link();
    const names = await Promise.all(Array.from({ length: 8 }, () => one.slot(['A', 'B'])));
    expect(names.filter((name) => name === 'A')).toHaveLength(4);
  });

  test('an exclusive lock waits for shared ones, and the locks of a lost worker are released', async () => {
    const { link } = await started();
    const [a, b, c] = [link(), link(), link()];
    const order: string[] = [];
    await a.ask({ op: 'lock', name: 'tenant', mode: 'shared' });
    await b.ask({ op: 'lock', name: 'tenant', mode: 'shared' });
    const alone = c.holding('tenant', 'exclusive', async () => {
      order.push('exclusive');
    });
    await a.ask({ op: 'unlock', name: 'tenant' });
    order.push('a left');
    b.close();
    await alone;
    expect(order).toEqual(['a left', 'exclusive']);
  });

  test('knows which endpoints are left, and waits for the answers to creations before it stops', async () => {
    const { link, coordinator } = await started();
    const { endpoints, creations } = coordinator;
    const [a, b, lost] = [link(), link(), link()];
    for (const worker of [a, b, lost]) await worker.ask({ op: 'creating' });
    await a.ask({ op: 'created', endpoint: 'first', key: 'K' });
    await a.ask({ op: 'creating' });
    await a.ask({ op: 'created', endpoint: '', key: 'K' });
    const order: string[] = [];
    const stopped = creations.stop().then(() => order.push('stopped'));
    lost.close();
    void a.ask({ op: 'creating' }).then(
      () => order.push('permitted'),
      () => {},
    );
    await a.ask({ op: 'deleted', endpoint: 'first' });
    order.push('deleted');
    await b.ask({ op: 'created', endpoint: 'second', key: 'L' });
    await stopped;
    expect([order, endpoints.all]).toEqual([['deleted', 'stopped'], [{ id: 'second', key: 'L' }]]);
  });

  test('limits the writes of a run', async () => {
    const { link, coordinator } = await started(2);
    const one = link();
    const granted = [];
    for (let n = 0; n < 3; n++) granted.push((await one.ask({ op: 'write' })).granted);
    expect(granted).toEqual([true, true, false]);
    expect(coordinator.writes).toBe(3);
  });

  test('forwards how rules ended', async () => {
    const { link, seen } = await started();
    await link().ask({ op: 'done', rule: 'AUTH-1', status: 'PASS', code: '', reason: '' });
    expect(seen).toEqual(['AUTH-1 PASS']);
  });

  test('lets no rule begin once it stops, and waits for those that change the tenant', async () => {
    const { link, coordinator } = await started();
    const { rules } = coordinator;
    const [a, b, lost] = [link(), link(), link()];
    for (const [worker, rule, changes] of [
      [a, 'AUTH-1', false],
      [b, 'FLAG-1', true],
      [lost, 'FLAG-2', true],
    ] as const) {
      expect(await worker.ask({ op: 'begin', rule, changes })).toMatchObject({ granted: true });
    }
    const order: string[] = [];
    const stopped = rules.stop().then((left) => order.push(`stopped, left: ${left}`));
    lost.close();
    expect(await a.ask({ op: 'begin', rule: 'AUTH-2', changes: false })).toMatchObject({ granted: false });
    order.push('refused');
    order.push('done');
    await b.ask({ op: 'done', rule: 'FLAG-1', status: 'PASS', code: '', reason: '' });
    await stopped;
    expect(order).toEqual(['refused', 'done', 'stopped, left: ']);
  });
});
