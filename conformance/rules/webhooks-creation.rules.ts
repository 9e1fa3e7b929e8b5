import { deleteHook, EVENT_TYPES, makeHook, newRoute, testHook, urlOf, withHooks } from '../callbacks/hooks.ts';
import { rule } from '../engine/rule-test.ts';
import type { TestContext } from '../engine/test-context.ts';
import { isRealInstant } from '../judge/universal.ts';
import { attempt } from './shared/endpoint-attempts.ts';
import { refusedHosts, refusedNames } from './shared/webhook-hosts.ts';

const TYPES = ['document.rejected'];

/** The URL must be refused, and blamed. */
async function refuses(t: TestContext, url: string): Promise<void> {
  const shown = url.length > 100 ? `${url.slice(0, 100)}… (${url.length})` : url;
  (await attempt(t, { url, event_types: TYPES })).blames('url', shown);
}

rule('WHK-1', async (t) => {
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
});

rule('WHK-2', async (t) => {
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
});

rule('WHK-3', async (t) => {
  await Promise.all(refusedHosts.map((host) => refuses(t, `https://${host}/`)));
});

rule('WHK-4', async (t) => {
  await Promise.all(refusedNames.map((name) => refuses(t, `https://${name}/`)));
});

rule('WHK-6', async (t) => {
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
    (await attempt(t, { url: rightUrl(t), event_types: [type] })).blames('event_types', JSON.stringify(type));
    (await attempt(t, { url: rightUrl(t), event_types: ['document.sent', type] })).blames(
      'event_types',
      `beside: ${type}`,
    );
  }
});

rule('WHK-7', async (t) => {
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
});

rule('WHK-8', async (t) => {
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
});

rule('WHK-9', async (t) => {
  const hook = await makeHook(t);
  const answers = [await testHook(t, hook), await t.as('full').get(`/webhook_endpoints/${hook.id}`)];
  answers.push(await deleteHook(t, hook), await deleteHook(t, hook), await testHook(t, hook));
  for (const answer of answers)
    t.check(!answer.text.includes(hook.secret.slice(6)), 'the secret is shown again', answer);
});

rule('WHK-10', async (t) => {
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
});

rule('WHK-11', async (t) => {
  const route = newRoute(t);
  await withHooks(t, [{ route }, { route }], async (one, two) => {
    t.check(one.id !== two.id, 'both have the same id');
    t.check(one.secret !== two.secret, 'both have the same secret');
    t.equal(one.shown.url, two.shown.url, 'the url');
  });
});

rule('WHK-18', async (t) => {
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
});

rule('WHK-20', async (t) => {
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
    (await attempt(t, { url: 'https://127.0.0.1/', event_types, ...extra })).blames(field, field);
  }
});

rule('WHK-28', async (t) => {
  // Only rules that run alone delete employees, so nothing causes this event meanwhile and nothing is sent to these
  // addresses.
  const event_types = ['employee.deleted'];
  for (const host of ['172.15.255.255', '172.32.0.1', '100.63.255.254', '100.128.0.1', '9.255.255.254', '[2600::1]']) {
    const answer = await attempt(t, { url: `https://${host}/conformance`, event_types });
    answer.ok('createWebhookEndpoint', host);
  }
});

/** A URL that is valid in itself. */
function rightUrl(t: TestContext): string {
  return t.run.callbacks.url === '' ? 'https://93.184.216.34/' : urlOf(t, newRoute(t));
}
