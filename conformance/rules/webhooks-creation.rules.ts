import { deleteHook, EVENT_TYPES, makeHook, newRoute, testHook, urlOf, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { isRealInstant } from '../judge/universal.ts';
import { rule } from './rule.ts';
import { attempt } from './shared/endpoint-attempts.ts';
import { need, together } from './shared/needs.ts';
import { refusedHosts, refusedNames } from './shared/webhook-hosts.ts';

const TYPES = ['document.rejected'];

/** The URL must be refused, and blamed. */
async function refuses(t: TestContext, url: string): Promise<void> {
  const shown = url.length > 100 ? `${url.slice(0, 100)}… (${url.length})` : url;
  (await attempt(t, { url, event_types: TYPES })).blames('url', shown);
}

rule({
  id: 'WHK-1',
  level: 'MUST',
  text: 'A new endpoint is ACTIVE and shows the URL and the event types that were given; the answer also has its secret.',
  place: 'createWebhookEndpoint',
  decisions: ['D-24'],
  needs: need.testDelivery,
  check: async (t) => {
    const begun = Date.now();
    const wanted = ['employee.changed', 'document.rejected'] as const;
    await withHooks(t, [{ types: wanted }], async ({ shown, url, secret }) => {
      t.equal(shown.url, url, 'the url');
      t.equal([...shown.event_types].sort(), [...wanted].sort(), 'the event types');
      t.equal(
        [shown.status, shown.disabled_reason, shown.disabled_at],
        [t.spelling.webhook_endpoint_status.ACTIVE, '', ''],
        'what shows that it is active',
      );
      t.equal(shown.update_time, shown.create_time, 'update_time');
      t.check(isRealInstant(shown.create_time), 'create_time is no instant');
      const away = Math.abs(Date.parse(shown.create_time) - begun);
      t.check(away < 120_000, `create_time is ${away} ms from the creation`);
      t.check(/^whsec_[A-Za-z0-9_-]{43}$/.test(secret), 'the secret has not the documented form');
    });
  },
});

rule({
  id: 'WHK-2',
  level: 'MUST',
  text: 'Only https URLs are accepted for endpoints.',
  place: 'createWebhookEndpoint',
  decisions: ['D-28'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    for (const url of [
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
    ]) {
      await refuses(t, url);
    }
  },
});

rule({
  id: 'WHK-3',
  level: 'MUST',
  text: 'Endpoint URLs with a host that is private, reserved or this machine are refused in every notation of its address.',
  place: 'createWebhookEndpoint',
  decisions: ['D-28'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    await Promise.all(refusedHosts.map((host) => refuses(t, `https://${host}/`)));
  },
});

rule({
  id: 'WHK-4',
  level: 'MUST',
  text: 'Endpoint URLs with a name that leads to a private address, or nowhere, are refused.',
  place: 'createWebhookEndpoint',
  decisions: ['D-28'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    await Promise.all(refusedNames.map((name) => refuses(t, `https://${name}/`)));
  },
});

rule({
  id: 'WHK-6',
  level: 'MUST',
  text: 'An event type that is not in the list is INVALID_ARGUMENT.',
  place: 'createWebhookEndpoint',
  decisions: ['D-24'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    for (const type of [
      'employee.created',
      'webhook_endpoint.test',
      'document.*',
      '*',
      'DOCUMENT.SENT',
      ' document.sent',
      'document.sent ',
      'document_sent',
      '',
      'constructor',
      '__proto__',
    ]) {
      (await attempt(t, { url: rightUrl(t), event_types: [type] })).blames('event_types[0]', JSON.stringify(type));
      (await attempt(t, { url: rightUrl(t), event_types: ['document.sent', type] })).blames(
        'event_types[1]',
        `beside: ${type}`,
      );
    }
  },
});

rule({
  id: 'WHK-7',
  level: 'MUST',
  text: 'Event types of an endpoint that are missing, empty, doubled or no array of texts are INVALID_ARGUMENT.',
  place: 'createWebhookEndpoint',
  decisions: ['D-24'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    const url = rightUrl(t);
    (await attempt(t, { url })).blames('event_types', 'none');
    for (const event_types of [
      [],
      null,
      'document.sent',
      {},
      [null],
      [1],
      [['document.sent']],
      ['document.sent', 'document.sent'],
      [...EVENT_TYPES, 'document.sent'],
    ]) {
      (await attempt(t, { url, event_types })).blames('event_types', JSON.stringify(event_types).slice(0, 60));
    }
  },
});

rule({
  id: 'WHK-8',
  level: 'MUST',
  text: 'Every event type can be subscribed to, each alone and all at once.',
  place: 'WebhookEventType',
  decisions: ['D-24'],
  needs: need.testDelivery,
  check: async (t) => {
    for (const types of [EVENT_TYPES, ...EVENT_TYPES.map((type) => [type])]) {
      await t.mayWrite();
      const answer = await t.as('full', { spread: true }).post('/webhook_endpoints', {
        url: urlOf(t, newRoute(t)),
        event_types: types,
      });
      const { webhook_endpoint } = answer.ok('createWebhookEndpoint', types.join());
      await deleteHook(t, webhook_endpoint);
      t.equal([...webhook_endpoint.event_types].sort(), [...types].sort(), 'the event types', answer);
    }
  },
});

rule({
  id: 'WHK-9',
  level: 'MUST',
  text: 'The secret is in the answer of the creation and in no other answer.',
  place: 'createWebhookEndpoint',
  decisions: ['D-24'],
  needs: need.testDelivery,
  check: async (t) => {
    const hook = await makeHook(t);
    const answers = [await testHook(t, hook), await t.as('full').get(`/webhook_endpoints/${hook.id}`)];
    answers.push(await deleteHook(t, hook), await deleteHook(t, hook), await testHook(t, hook));
    for (const answer of answers)
      t.check(!answer.text.includes(hook.secret.slice(6)), 'the secret is shown again', answer);
  },
});

rule({
  id: 'WHK-10',
  level: 'MUST',
  text: 'Every endpoint has a secret of its own, of at least 128 random bits.',
  place: 'createWebhookEndpoint',
  decisions: ['D-24'],
  needs: need.testDelivery,
  check: async (t) => {
    const secrets: Buffer[] = [];
    for (let i = 0; i < 6; i++) {
      await withHooks(t, [{}], async ({ secret }) => void secrets.push(Buffer.from(secret.slice(6), 'base64url')));
    }
    t.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, secrets.length, 'how many secrets differ');
    for (const secret of secrets) t.check(secret.length >= 16, `a secret holds ${secret.length} bytes`);
    // Two random secrets agree in one byte of 256 on average, never in a third of all bytes.
    const [first, ...others] = secrets as [Buffer, ...Buffer[]];
    for (const other of others) {
      const same = [...first].filter((byte, i) => byte === other[i]).length;
      t.check(same < first.length / 3, `two secrets agree in ${same} of ${first.length} bytes`);
    }
  },
});

rule({
  id: 'WHK-11',
  level: 'MUST',
  text: 'The same URL with the same event types can be subscribed twice, with two ids and two secrets.',
  place: 'createWebhookEndpoint',
  decisions: ['D-24'],
  needs: need.testDelivery,
  check: async (t) => {
    const route = newRoute(t);
    await withHooks(t, [{ route }, { route }], async (one, two) => {
      t.check(one.id !== two.id, 'both have the same id');
      t.check(one.secret !== two.secret, 'both have the same secret');
      t.equal(one.shown.url, two.shown.url, 'the url');
    });
  },
});

rule({
  id: 'WHK-18',
  level: 'MUST',
  text: 'Endpoint URLs with user information, a fragment, or a port below 1024 other than 443 are refused.',
  place: 'createWebhookEndpoint',
  decisions: ['D-28'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    const host = '93.184.216.34';
    for (const place of [
      `user:pass@${host}/`,
      `user@${host}/`,
      `:@${host}/`,
      `@${host}/`,
      `a@127.0.0.1/`,
      '127.0.0.1%2f@example.com/',
      `${host}/#fragment`,
      `${host}/#`,
      ...[0, 1, 22, 25, 80, 442, 444, 587, 1023, 65_536, 99_999].map((port) => `${host}:${port}/`),
      `${host}:-1/`,
      `${host}:x/`,
    ]) {
      await refuses(t, `https://${place}`);
    }
  },
});

rule({
  id: 'WHK-20',
  level: 'MUST',
  text: 'An endpoint’s url that is missing, no text, too long or no URL is INVALID_ARGUMENT, and so is an unknown field.',
  place: 'createWebhookEndpoint',
  decisions: ['D-6a', 'D-28'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    const event_types = TYPES;
    (await attempt(t, { event_types })).blames('url', 'none');
    for (const url of [null, 1, true, {}, [], ['https://hooks.example.com/']]) {
      (await attempt(t, { url, event_types })).blames('url', JSON.stringify(url));
    }
    for (const url of [
      '',
      'https://',
      'https://?x',
      'https:///x',
      'https://[::1',
      'https://a b.example/',
      'https://%zz/',
    ]) {
      await refuses(t, url);
    }
    await refuses(t, `https://93.184.216.34/${'x'.repeat(2048)}`);
    await refuses(t, `https://93.184.216.34/${'x'.repeat(100_000)}`);
    for (const extra of [
      { secret: 'whsec_x' },
      { status: t.spelling.webhook_endpoint_status.ACTIVE },
      { id: 'x' },
      { tenant_id: 'x' },
      { _id: 'x' },
    ]) {
      const [field = ''] = Object.keys(extra);
      (await attempt(t, { url: 'https://127.0.0.1/', event_types, ...extra })).blames([field, 'url'], field);
    }
  },
});

rule({
  id: 'WHK-28',
  level: 'MUST',
  text: 'Endpoint URLs with public addresses next to the reserved ranges are accepted, and so are port 443 and the ports from 1024 up.',
  place: 'createWebhookEndpoint',
  decisions: ['D-28'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    // Only rules that run alone delete employees, so nothing causes this event meanwhile and nothing is sent to these
    // addresses.
    const event_types = ['employee.deleted'];
    for (const host of [
      '172.15.255.255',
      '172.32.0.1',
      '100.63.255.254',
      '100.128.0.1',
      '9.255.255.254',
      '[2600::1]',
      '9.255.255.254:443',
      '9.255.255.254:1024',
      '9.255.255.254:65535',
    ]) {
      const answer = await attempt(t, { url: `https://${host}/conformance`, event_types });
      answer.ok('createWebhookEndpoint', host);
    }
  },
});

/** A URL that is valid in itself. */
function rightUrl(t: TestContext): string {
  return t.run.callbacks.url === '' ? 'https://93.184.216.34/' : urlOf(t, newRoute(t));
}
