import {
  deleteHook,
  EVENT_TYPES,
  type EventType,
  makeHook,
  newRoute,
  testHook,
  withHooks,
} from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { unique } from './shared/calls.ts';
import { attempt } from './shared/endpoint-attempts.ts';
import { refusedHosts, refusedNames } from './shared/webhook-hosts.ts';

const rule = rulesWith({ place: 'createWebhookEndpoint', decisions: ['D-24'] });

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

rule({
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
  rule({
    id,
    family: 'refused URLs',
    text: `Endpoint URLs ${what} are refused.`,
    decisions: ['D-28'],
    check: async (t) => void (await Promise.all(urls.map((url) => refuses(t, url)))),
  });
}

rule({
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

rule({
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

rule({
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
