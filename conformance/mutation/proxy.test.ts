import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchangeOverHttp } from '../http/client.ts';
import { type Headers, userAgentOf } from '../http/exchange.ts';
import { exchangeOverWire } from '../http/wire.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { exampleProfile, served } from '../testing/small-target.ts';
import { answers, everything, status } from './alter.ts';
import type { Alter } from './fault.ts';
import { nullFault } from './mutation-run.ts';
import { AlteringProxy, keysOf, planted } from './proxy.ts';

interface SeenRequest {
  method: string;
  target: string;
  key: string | undefined;
}

let proxy: AlteringProxy;
let url = '';
let seen: SeenRequest[] = [];

const list = { employees: [{ id: 'a' }, { id: 'b' }], next_page_token: '' };

const target = served((asked, answer) => {
  seen.push({ method: asked.method ?? '', target: asked.url ?? '', key: String(asked.headers['x-api-key']) });
  if (asked.url === '/silent') return answer.destroy();
  answer.writeHead(200, { 'Content-Type': 'application/json', 'X-Two': ['1', '2'] });
  asked.on('end', () => answer.end(JSON.stringify(list))).resume();
});

beforeEach(async () => {
  seen = [];
  proxy = new AlteringProxy(target.baseUrl);
  url = await proxy.listen();
});

afterEach(() => proxy.close());

const EMPLOYEES = '/developer/v1/employees';

async function ask(target = EMPLOYEES, rule = 'EMP-1') {
  const headers: Headers = [
    ['User-Agent', userAgentOf(rule)],
    ['X-API-Key', 'mine'],
  ];
  const answer = await exchangeOverHttp({ baseUrl: url, method: 'GET', target, headers, freshConnection: true });
  return { ...answer, text: answer.body.toString('utf8'), json: JSON.parse(answer.body.toString('utf8')) };
}

function plant(alter: Alter, rule = 'EMP-1') {
  const one = planted({ ...nullFault(rule), alter }, (name) => `key of ${name}`);
  proxy.plant([one]);
  return one;
}

describe('the altering proxy', () => {
  test('forwards everything unchanged with the null fault', async () => {
    let met = 0;
    const one = plant((request, forward) => {
      met++;
      return forward(request);
    });
    const answer = await ask(`${EMPLOYEES}?b=2&a=%41`);
    expect(answer.text).toBe(JSON.stringify(list));
    expect(answer.headers.filter(([name]) => name === 'X-Two')).toEqual([
      ['X-Two', '1'],
      ['X-Two', '2'],
    ]);
    expect(seen).toEqual([{ method: 'GET', target: `${EMPLOYEES}?b=2&a=%41`, key: 'mine' }]);
    expect([met, one.changed]).toEqual([1, 0]);
  });

  test('alters only the traffic of the rule that has the fault', async () => {
    const member = 'ERR-createDocument.template_values';
    const one = plant(
      answers('listEmployees', (json) => ({ ...json, next_page_token: 'more' })),
      member,
    );
    expect((await ask(EMPLOYEES, member)).json.next_page_token).toBe('more');
    expect((await ask()).json.next_page_token).toBe('');
    expect(one.changed).toBe(1);
  });

  test('forwards bytes that are not a request of the suite', async () => {
    plant(status(500, everything));
    expect(await exchangeOverWire(url, Buffer.from('BREW / HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatchObject({
      status: 400,
    });
    expect(seen).toEqual([]);
  });

  test('with a fault for raw bytes, alters only bytes that name no rule', async () => {
    const one = planted(
      { id: 'x', rule: 'ERR-21', breaks: 'x', wire: (bytes) => Buffer.from(`${bytes}`.replace('/a', '/b')) },
      () => '',
    );
    proxy.plant([one]);
    const bare = await exchangeOverWire(url, Buffer.from('GET /a HTTP/1.1\r\nHost: x\r\n\r\n'));
    expect([bare.status, seen.map(({ target }) => target), one.changed]).toEqual([200, ['/b'], 1]);
    await ask('/a', 'EMP-1');
    expect([seen[1]?.target, one.changed]).toEqual(['/a', 1]);
  });

  test('notes that the fault itself failed, also in what it answers', async () => {
    const thrown = plant(answers('listEmployees', (json) => json.documents[0].id));
    await expect(ask()).rejects.toThrow();
    expect(thrown.failure).toMatch(/^TypeError: .*proxy\.test\.ts/);
    const wrong = plant(status(7, everything));
    await expect(ask()).rejects.toThrow();
    expect(wrong.failure).toMatch(/^RangeError/);
  });

  test('gives a fault the keys of the tenant that asks', async () => {
    const profile = { ...exampleProfile(), keys: { full: 'A' }, pool: [{ tag: 'other', keys: { full: ['B', 'C'] } }] };
    const keyOf = keysOf({ profile, secrets: { A: 'of main', B: 'mine', C: 'ours' } } as unknown as LoadedProfile);
    const given: string[] = [];
    const alter: Alter = (asked, forward, memory) => {
      given.push(memory.key('full'), memory.key('full', 1));
      return forward(asked);
    };
    proxy.plant([planted({ ...nullFault('EMP-1'), alter }, keyOf)]);
    await ask();
    expect(given).toEqual(['mine', 'ours']);
    expect(keyOf('full', 0, 'of nobody')).toBe('of main');
  });

  test('does not take a target that is silent for a failure of the fault', async () => {
    const one = plant((request, forward) => forward({ ...request, target: '/silent' }));
    await expect(ask()).rejects.toThrow();
    expect(one.failure).toBeUndefined();
  });
});
