import { createServer } from 'node:net';
import {
  arrived,
  askForHook,
  deleteHook,
  EVENT_TYPES,
  type EventType,
  envelopeOf,
  type Hook,
  hookOf,
  makeHook,
  newRoute,
  ofType,
  react,
  received,
  testHook,
  withHooks,
} from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { endpointIn } from '../http/api.ts';
import { rule, rulesWith } from './rule.ts';
import { series, UNKNOWN_ID, unique } from './shared/calls.ts';
import { marker, mustBeSound, reject, rejected, waiting } from './shared/event-calls.ts';
import { refusedHosts, refusedNames } from './shared/webhook-hosts.ts';

/** Calls `_test`, whose answer must fit the contract. */
const outcome = async (t: TestContext, hook: Pick<Hook, 'id'>) => (await testHook(t, hook)).ok('testWebhookEndpoint');

rule({
  id: 'WHK-23',
  text: 'The deletion of an endpoint answers {}, and is 404 for all but one of several at once and from then on; the endpoint receives nothing more, and the others do.',
  place: 'deleteWebhookEndpoint',
  decisions: ['D-24'],
  check: async (t) => {
    await withHooks(t, [{}, {}], async (gone, stays) => {
      await marker(t, stays);
      const id = await waiting(t);
      const [beside, ...deletions] = await Promise.all([testHook(t, gone), ...series(3, () => deleteHook(t, gone))]);
      const [done, ...late] = deletions.toSorted((a, b) => a.status - b.status);
      t.equal(done?.ok('deleteWebhookEndpoint'), {}, 'the answer to one of several deletions at once', done);
      for (const answer of late) answer.fails('WEBHOOK_ENDPOINT_NOT_FOUND', 'the others');
      if (beside?.status === 200) t.equal(beside.ok('testWebhookEndpoint').status_code, 200, 'a test beside', beside);
      else beside?.fails('WEBHOOK_ENDPOINT_NOT_FOUND', '_test beside a deletion');
      (await deleteHook(t, gone)).fails('WEBHOOK_ENDPOINT_NOT_FOUND', 'a later deletion');
      (await testHook(t, gone)).fails('WEBHOOK_ENDPOINT_NOT_FOUND', '_test of a deleted endpoint');
      await reject(t, id);
      await arrived(t, stays, { containing: id });
      await marker(t, stays);
      t.equal((await received(t, gone, id)).length, 0, 'deliveries to the deleted endpoint');
    });
  },
});

rule({
  id: 'WHK-14',
  text: '_test and deletion of an unknown id, of a malformed one, and of another tenant’s endpoint are 404, and nothing is sent or deleted.',
  place: 'testWebhookEndpoint, deleteWebhookEndpoint',
  decisions: ['D-5', 'D-14'],
  check: async (t, full) => {
    const other = t.as('other_tenant');
    await withHooks(t, [{}], async (hook) => {
      // Events of documents that other rules reject meanwhile arrive here too.
      const tests = async () => (await received(t, hook)).filter(ofType('webhook_endpoint.test')).length;
      for (const [api, id] of [
        [full, UNKNOWN_ID],
        [full, 'x'],
        [full, `${hook.id}0`],
        [full, 'undefined'],
        [other, hook.id],
      ] as const) {
        const what = api === other ? 'another tenant’s endpoint' : id;
        (await api.post(`/webhook_endpoints/${id}/_test`, {})).fails('WEBHOOK_ENDPOINT_NOT_FOUND', `_test of ${what}`);
        const deletion = await api.send({ method: 'DELETE', path: `/webhook_endpoints/${id}` });
        deletion.fails('WEBHOOK_ENDPOINT_NOT_FOUND', `deletion of ${what}`);
      }
      t.equal(await tests(), 0, 'how many deliveries refused tests made');
      t.equal(await outcome(t, hook), { status_code: 200, error: '' }, '_test afterwards');
    });
  },
});

rule({
  id: 'WHK-15',
  text: '_test needs no body and refuses one with a field; it sends one signed envelope of type webhook_endpoint.test that names the endpoint, and never repeats it.',
  place: 'testWebhookEndpoint, webhook_endpoint.test',
  decisions: ['D-6a', 'D-25'],
  check: async (t, full) => {
    await withHooks(t, [{ reactions: [{ answer: 500 }] }, {}], async (hook, other) => {
      const path = `/webhook_endpoints/${hook.id}/_test`;
      const bare = await full.send({ method: 'POST', path });
      t.equal(bare.ok('testWebhookEndpoint', 'without a body').status_code, 500, 'the status', bare);
      (await full.post(path, { url: 'https://127.0.0.1/' })).blames('url', 'with a field');
      (await full.post(path, { type: 'document.sent' })).blames('type', 'with a type');
      const [delivery, ...more] = await arrived(t, hook, { containing: hook.id });
      t.equal(more.length, 0, 'how many deliveries besides the first');
      mustBeSound(t, delivery, hook);
      const { type, data } = envelopeOf(delivery);
      t.equal([type, data], ['webhook_endpoint.test', { webhook_endpoint_id: hook.id }], 'type and data');
      await marker(t, other);
      t.equal((await received(t, hook, hook.id)).length, 1, 'how often the failed test was delivered');
      await outcome(t, hook);
      const ids = (await received(t, hook, hook.id)).map((one) => envelopeOf(one).id);
      t.equal(new Set(ids).size, 2, 'how many ids two tests have');
    });
  },
});

rule({
  id: 'WHK-19',
  text: 'Failed tests never disable an endpoint.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25'],
  check: async (t) => {
    await withHooks(t, [{ reactions: [{ answer: 500 }] }], async (hook) => {
      for (let i = 0; i < 21; i++)
        t.equal((await outcome(t, hook)).status_code, 500, `the status of failed test ${i + 1}`);
      const id = await waiting(t);
      await reject(t, id);
      await arrived(t, hook, { containing: id });
    });
  },
});

/** So many endpoints are created at the same time. */
const AT_ONCE = 8;

/** Creates several endpoints at once, since each could count before any of the others is there. @returns the refusals */
async function makeSeveral(t: TestContext, made: Hook[]): Promise<Answer[]> {
  const asked = series(AT_ONCE, () => askForHook(t, { types: ['person.changed'] }));
  const round = await Promise.all(asked);
  made.push(...round.filter(({ answer }) => answer.status === 200).map(hookOf));
  return round.map(({ answer }) => answer).filter(({ status }) => status !== 200);
}

/** Deletes an endpoint of a tenant that has no room, refuses a few creations, and lets several others want the place. */
async function mustMakeRoomForOne(t: TestContext, made: Hook[], what: string): Promise<void> {
  (await deleteHook(t, made.pop() as Hook)).ok('deleteWebhookEndpoint', what);
  const wrong = { url: 'https://127.0.0.1/', event_types: ['person.changed'] };
  for (let n = 0; n < 3; n++) (await attempt(t, wrong)).fails('INVALID_ARGUMENT', 'an address that is not public');
  const before = made.length;
  for (const refusal of await makeSeveral(t, made))
    refusal.fails('WEBHOOK_ENDPOINT_LIMIT_REACHED', `one more after ${what}`);
  t.equal(made.length - before, 1, `how many endpoints could be made after ${what}`);
}

rule({
  id: 'WHK-21',
  text: 'A tenant has no more endpoints than the target declares, disabled ones included; a deletion makes room for exactly one, and a refused creation takes none.',
  place: 'WEBHOOK_ENDPOINT_LIMIT_REACHED',
  decisions: ['D-24'],
  runs: 'alone',
  because: 'It makes as many endpoints as the tenant may have.',
  check: async (t) => {
    const most = t.values.webhook_endpoints_maximum;
    if (most === 0) t.skip('the target declares no limit');
    const made: Hook[] = [];
    try {
      let refusals: Answer[] = [];
      while (refusals.length === 0 && made.length <= most) refusals = await makeSeveral(t, made);
      for (const refusal of refusals) refusal.fails('WEBHOOK_ENDPOINT_LIMIT_REACHED', `one more than ${made.length}`);
      t.check(made.length > 0, 'not a single endpoint could be made');
      const ours = t.keyNames('full');
      const mine = new Set(made.map(({ id }) => id));
      const others = t.run.endpoints.all.filter(({ id, key }) => ours.includes(key) && !mine.has(id));
      const all = made.length + others.length;
      t.check(all <= most, `there are ${all} endpoints; the target declares ${most}`);
      await mustMakeRoomForOne(t, made, 'a deletion');
      if (t.profile.admin.disable_webhook_endpoint === undefined) return;
      await t.admin('disable_webhook_endpoint', { endpoint_id: made.at(-1)?.id ?? '' });
      (await askForHook(t, { types: ['person.changed'] })).answer.fails(
        'WEBHOOK_ENDPOINT_LIMIT_REACHED',
        'one more while one is disabled',
      );
      await mustMakeRoomForOne(t, made, 'the deletion of a disabled one');
    } finally {
      await Promise.all(made.map((hook) => deleteHook(t, hook).catch(() => {})));
    }
  },
});

rule({
  id: 'WHK-22',
  text: 'An endpoint belongs to the tenant: another key, also another owner’s, can test and delete it.',
  place: 'testWebhookEndpoint, deleteWebhookEndpoint',
  decisions: ['D-24'],
  check: async (t) => {
    for (const key of ['webhooks_manage', 'second_owner'] as const) {
      await withHooks(t, [{}], async (hook) => {
        const answer = await testHook(t, hook, key);
        t.equal(answer.ok('testWebhookEndpoint').status_code, 200, `_test with ${key}`, answer);
        (await deleteHook(t, hook, key)).ok('deleteWebhookEndpoint', `deletion with ${key}`);
        (await testHook(t, hook)).fails('WEBHOOK_ENDPOINT_NOT_FOUND', 'then');
      });
    }
  },
});

rule({
  id: 'WHK-24',
  text: 'A disabled endpoint refuses tests and can be deleted; events of the time when it is disabled do not reach it, not even once it is enabled.',
  place: 'WEBHOOK_ENDPOINT_DISABLED, webhooks',
  decisions: ['D-24', 'D-25', 'D-27'],
  check: async (t) => {
    await withHooks(t, [{}, {}], async (hook, other) => {
      const disable = () => t.admin('disable_webhook_endpoint', { endpoint_id: hook.id });
      await disable();
      (await testHook(t, hook)).fails('WEBHOOK_ENDPOINT_DISABLED', '_test');
      const id = await rejected(t);
      await arrived(t, other, { containing: id });
      await marker(t, other);
      t.equal((await received(t, hook, id)).length, 0, 'deliveries to the disabled endpoint');
      t.equal((await testHook(t, other)).ok('testWebhookEndpoint').status_code, 200, '_test of another endpoint');
      await t.admin('enable_webhook_endpoint', { endpoint_id: hook.id });
      for (let n = 0; n < 2; n++) await marker(t, hook);
      t.equal((await received(t, hook, id)).length, 0, 'deliveries of the event once the endpoint was enabled');
      await disable();
      (await deleteHook(t, hook)).ok('deleteWebhookEndpoint', 'deletion of the disabled endpoint');
    });
  },
});

rule({
  id: 'WHK-29',
  text: 'The target never connects to an address that it refuses.',
  place: 'createWebhookEndpoint',
  decisions: ['D-28'],
  check: async (t) => {
    const { hostname } = new URL(t.profile.base_url);
    if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
      t.untested('missing_callbacks', 'whether a connection is made can be seen on the target’s own machine only');
    }
    let visits = 0;
    const trap = createServer((socket) => {
      visits++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = trap.address() as { port: number };
      for (const host of ['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]']) {
        const body = { url: `https://${host}:${port}/`, event_types: ['person.changed'] };
        (await attempt(t, body)).blames('url', host);
      }
      t.equal(visits, 0, 'how many connections came');
    } finally {
      trap.close();
    }
  },
});

/** So many times a connection is looked for that the target uses again. */
const TRIES = 5;

rule({
  id: 'WHK-32',
  text: 'A reused connection that the receiver ends before a byte of its answer is replaced by a new one, once and within the attempt; a new connection is not.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25', 'D-27'],
  check: async (t) => {
    await withHooks(t, [{}], async (hook) => {
      const tests = async () => (await received(t, hook)).filter(ofType('webhook_endpoint.test'));
      for (let i = 0; i < TRIES; i++) {
        react(t, hook, [{ answer: 200 }]);
        t.equal((await testHook(t, hook)).ok('testWebhookEndpoint').status_code, 200, 'the status of a plain answer');
        const before = await tests();
        react(t, hook, [{ answer: 'reset' }, { answer: 201 }]);
        const { status_code } = (await testHook(t, hook)).ok('testWebhookEndpoint');
        const [first, ...more] = (await tests()).slice(before.length);
        const isReused = first?.is_reused === true;
        t.equal(status_code, isReused ? 201 : 0, `the status where a ${isReused ? 'reused' : 'new'} connection ends`);
        t.equal(more.length, isReused ? 1 : 0, 'how often the event came again');
        const [again] = more;
        if (first === undefined || again === undefined) continue;
        t.check(again.connection !== first.connection, 'the event came again on the connection that ended');
        t.equal([again.headers, again.body], [first.headers, first.body], 'the headers and the body that came again');
        return;
      }
      t.untested('not_exercised', 'the target used no connection again');
    });
  },
});

const creationRule = rulesWith({ place: 'createWebhookEndpoint', decisions: ['D-24'] });

const TYPES = ['document.rejected'];

/** The URL must be refused, and blamed. */
async function refuses(t: TestContext, url: string): Promise<void> {
  const shown = url.length > 100 ? `${url.slice(0, 100)}… (${url.length})` : url;
  (await attempt(t, { url, event_types: TYPES })).blames('url', shown);
}

/** An endpoint that is made for these types shows what was given. */
async function mustBeNew(t: TestContext, wanted: readonly EventType[]): Promise<void> {
  const begun = Date.now();
  await withHooks(t, [{ types: wanted }], async ({ shown, url, secret }) => {
    t.equal(shown.url, url, 'the url');
    t.equal([...shown.event_types].sort(), [...wanted].sort(), 'the event types');
    t.equal(
      [shown.status, shown.disabled_reason, shown.disabled_at],
      [t.spelling.webhook_endpoint_status.ACTIVE, '', ''],
      'what shows that it is active',
    );
    t.equal(shown.update_time, shown.create_time, 'update_time');
    const away = Math.abs(Date.parse(shown.create_time) - begun);
    t.check(away < 120_000, `create_time is ${away} ms from the creation`);
    t.check(/^whsec_[A-Za-z0-9_-]{43}$/.test(secret), 'the secret has not the documented form');
  });
}

creationRule({
  id: 'WHK-1',
  text: 'A new endpoint is ACTIVE and shows the URL and the event types that were given, each type alone or all at once; the answer also has its secret.',
  place: 'createWebhookEndpoint, WebhookEventType',
  check: async (t) => {
    for (const wanted of [EVENT_TYPES, ...EVENT_TYPES.map((type) => [type])]) await mustBeNew(t, wanted);
  },
});

const HOST = '93.184.216.34';

/** URLs that no endpoint may have, by the rule about them. */
const REFUSED_URLS: readonly (readonly [id: string, what: string, urls: readonly string[]])[] = [
  [
    'WHK-2',
    'that are not https, or name no host',
    [
      'http://hooks.example.com/',
      'HTTP://hooks.example.com/',
      'ftp://hooks.example.com/',
      'file:///etc/passwd',
      'gopher://hooks.example.com/',
      'data:text/plain,x',
      'javascript:alert(1)',
      'wss://hooks.example.com/',
      '//hooks.example.com/',
      'hooks.example.com',
      'https:/hooks.example.com',
      'https:hooks.example.com',
      ' https://hooks.example.com/',
      'https://hooks.example.com\\@127.0.0.1/',
      'https://hooks.exa\tmple.com/',
      'https://',
      'https://?x',
      'https:///x',
      'https://[::1',
      'https://%zz/',
    ],
  ],
  [
    'WHK-3',
    'with a host that is private, reserved or this machine, in every notation of its address,',
    refusedHosts.map((host) => `https://${host}/`),
  ],
  ['WHK-4', 'with a name that leads to a private address, or nowhere,', refusedNames.map((name) => `https://${name}/`)],
  [
    'WHK-18',
    'with user information, a fragment, or a port below 1024 other than 443',
    [
      `user:pass@${HOST}/`,
      `user@${HOST}/`,
      `:@${HOST}/`,
      `@${HOST}/`,
      `a@127.0.0.1/`,
      '127.0.0.1%2f@example.com/',
      `${HOST}/#fragment`,
      `${HOST}/#`,
      ...[0, 1, 22, 25, 80, 442, 444, 587, 1023, 65_536, 99_999].map((port) => `${HOST}:${port}/`),
      `${HOST}:-1/`,
      `${HOST}:x/`,
    ].map((place) => `https://${place}`),
  ],
];

for (const [id, what, urls] of REFUSED_URLS) {
  creationRule({
    id,
    family: 'refused URLs',
    text: `Endpoint URLs ${what} are refused.`,
    decisions: ['D-28'],
    check: async (t) => void (await Promise.all(urls.map((url) => refuses(t, url)))),
  });
}

creationRule({
  id: 'WHK-9',
  text: 'The secret is in the answer of the creation and in no other answer.',
  check: async (t, full) => {
    const hook = await makeHook(t);
    const answers = [await testHook(t, hook), await full.get(`/webhook_endpoints/${hook.id}`)];
    answers.push(await deleteHook(t, hook), await deleteHook(t, hook), await testHook(t, hook));
    for (const answer of answers)
      t.check(!answer.text.includes(hook.secret.slice(6)), 'the secret is shown again', answer);
  },
});

creationRule({
  id: 'WHK-10',
  text: 'Every endpoint has a secret of its own, of at least 128 random bits, even where the URL and the event types are the same.',
  check: async (t) => {
    const route = newRoute(t);
    const secrets: Buffer[] = [];
    for (let i = 0; i < 3; i++) {
      await withHooks(t, [{ route }, { route }], async (one, two) => {
        t.check(one.id !== two.id, 'both have the same id');
        t.equal(one.shown.url, two.shown.url, 'the url');
        secrets.push(...[one, two].map(({ secret }) => Buffer.from(secret.slice(6), 'base64url')));
      });
    }
    t.equal(unique(secrets.map((secret) => secret.toString('hex'))).length, secrets.length, 'how many secrets differ');
    // Two random secrets agree in one byte of 256 on average, never in a third of all bytes.
    const [first, ...others] = secrets as [Buffer, ...Buffer[]];
    for (const other of others) {
      t.check(other.length >= 16, `a secret holds ${other.length} bytes`);
      const same = [...first].filter((byte, i) => byte === other[i]).length;
      t.check(same < first.length / 3, `two secrets agree in ${same} of ${first.length} bytes`);
    }
  },
});

/**
 * URLs with public addresses next to the reserved ranges and with the lowest and the highest port, and URLs in other forms
 * than the canonical one (WHATWG URL), which is the second.
 */
const TAKEN_URLS: readonly (readonly [given: string, shown?: string])[] = [
  ['https://172.15.255.255/conformance'],
  ['https://172.32.0.1/conformance'],
  ['https://100.63.255.254/conformance'],
  ['https://100.128.0.1/conformance'],
  ['https://9.255.255.254/conformance'],
  ['https://[2600::1]/conformance'],
  ['https://9.255.255.254:1024/conformance'],
  ['https://9.255.255.254:65535/conformance'],
  ['HTTPS://9.255.255.254', 'https://9.255.255.254/'],
  ['https://9.255.255.254:443/Hooks/%7Ea?B=1', 'https://9.255.255.254/Hooks/%7Ea?B=1'],
  ['https://9.255.255.254:8443/a/../b/./c', 'https://9.255.255.254:8443/b/c'],
  ['https://[2600:0:0::0001]/é', 'https://[2600::1]/%C3%A9'],
];

creationRule({
  id: 'WHK-28',
  text: 'Endpoint URLs with public addresses next to the reserved ranges are accepted, and so are port 443 and the ports from 1024 up; each is shown in canonical form: scheme and host in small letters, no port that is the usual one, no dots in the path.',
  decisions: ['D-24', 'D-28'],
  check: async (t) => {
    for (const [url, shown = url] of TAKEN_URLS) {
      // Only rules that run alone delete employees, so nothing is sent to these addresses meanwhile.
      const answer = await attempt(t, { url, event_types: ['employee.deleted'] });
      t.equal(answer.ok('createWebhookEndpoint', url).webhook_endpoint.url, shown, `the URL of ${url}`, answer);
    }
  },
});

/** Sends a creation unchanged. If the target accepts what it should refuse, nothing is left behind. */
async function attempt(t: TestContext, body: unknown): Promise<Answer> {
  await t.mayWrite();
  const answer = await t.asAny('full').post('/webhook_endpoints', body);
  const id = endpointIn(answer.exchange);
  if (id !== '') await deleteHook(t, { id });
  return answer;
}
