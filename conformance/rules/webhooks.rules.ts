import { createServer } from 'node:net';
import {
  arrived,
  askForHook,
  deleteHook,
  envelopeOf,
  type Hook,
  hookOf,
  makeHook,
  ofType,
  react,
  received,
  testHook,
  withHooks,
} from '../callbacks/hooks.ts';
import { RECEIVER_TEXT } from '../callbacks/receiver.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { attempt } from './shared/endpoint-attempts.ts';
import { formComplaint, marker, mustBeSound, reject, waiting } from './shared/event-calls.ts';
import { need, together } from './shared/needs.ts';

/** Calls `_test`, whose answer must fit the contract. */
const outcome = async (t: TestContext, hook: Pick<Hook, 'id'>) => (await testHook(t, hook)).ok('testWebhookEndpoint');

rule({
  id: 'WHK-5',
  level: 'MUST',
  text: 'A redirect is reported as such by _test and never followed.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25', 'D-27'],
  needs: need.testDelivery,
  check: async (t) => {
    await withHooks(t, [{}, {}], async (hook, elsewhere) => {
      const places = [
        elsewhere.url,
        `/${elsewhere.route}`,
        elsewhere.url.replace('https:', 'http:'),
        'http://127.0.0.1/',
      ];
      for (const answer of [301, 302, 303, 307, 308]) {
        for (const location of answer === 302 ? places : places.slice(0, 1)) {
          await react(t, hook, [{ answer, location }]);
          t.equal(await outcome(t, hook), { status_code: answer, error: '' }, `_test of a ${answer} to ${location}`);
        }
      }
      // Events of documents that other rules reject meanwhile arrive there too.
      const visits = (await received(t, elsewhere)).filter((one) => envelopeOf(one).type !== 'document.rejected');
      t.equal(visits.length, 0, 'how often the place was visited');
    });
  },
});

rule({
  id: 'WHK-12',
  level: 'MUST',
  text: 'A deleted endpoint receives nothing more; the others do.',
  place: 'deleteWebhookEndpoint',
  decisions: ['D-24'],
  needs: together(need.documentEvents, need.testDelivery),
  check: async (t) => {
    await withHooks(t, [{}, {}], async (gone, stays) => {
      await marker(t, stays);
      const id = await waiting(t);
      (await deleteHook(t, gone)).ok('deleteWebhookEndpoint');
      await reject(t, id);
      await arrived(t, stays, { containing: id });
      await marker(t, stays);
      t.equal((await received(t, gone, id)).length, 0, 'deliveries to the deleted endpoint');
    });
  },
});

rule({
  id: 'WHK-13',
  level: 'MUST',
  text: '_test answers with the very status that the receiver gave.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25'],
  needs: need.testDelivery,
  check: async (t) => {
    await withHooks(t, [{}], async (hook) => {
      // Events of documents that other rules reject meanwhile arrive here too.
      const tests = async () => (await received(t, hook)).filter(ofType('webhook_endpoint.test')).length;
      let sent = 0;
      for (const answer of [200, 201, 204, 218, 299, 304, 400, 401, 404, 410, 418, 429, 500, 503, 599]) {
        await react(t, hook, [{ answer }]);
        t.equal(await outcome(t, hook), { status_code: answer, error: '' }, `_test of a ${answer}`);
        sent++;
        t.equal(await tests(), sent, 'how many test events came');
      }
      await react(t, hook, [{ answer: 'reset' }]);
      const { status_code, error } = await outcome(t, hook);
      t.equal(status_code, 0, 'the status when the connection breaks');
      t.check(error !== '', 'a broken connection is shown as no error');
    });
  },
});

rule({
  id: 'WHK-14',
  level: 'MUST',
  text: '_test and deletion of an unknown id, of a malformed one, and of another tenant’s endpoint are 404, and nothing is sent or deleted.',
  place: 'testWebhookEndpoint, deleteWebhookEndpoint',
  decisions: ['D-5', 'D-14'],
  needs: together(need.testDelivery, { keys: ['other_tenant'] }),
  check: async (t) => {
    const other = t.as('other_tenant');
    await withHooks(t, [{}], async (hook) => {
      // Events of documents that other rules reject meanwhile arrive here too.
      const tests = async () => (await received(t, hook)).filter(ofType('webhook_endpoint.test')).length;
      for (const [api, id] of [
        [t.as('full'), UNKNOWN_ID],
        [t.as('full'), 'x'],
        [t.as('full'), `${hook.id}0`],
        [t.as('full'), 'undefined'],
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
  level: 'MUST',
  text: 'The test event is one signed envelope of type webhook_endpoint.test that names the endpoint, and is not repeated.',
  place: 'webhook_endpoint.test',
  decisions: ['D-25'],
  needs: together(need.documentEvents, need.testDelivery),
  check: async (t) => {
    await withHooks(t, [{ reactions: [{ answer: 500 }] }, {}], async (hook, other) => {
      await outcome(t, hook);
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
  id: 'WHK-16',
  level: 'MUST',
  text: '_test waits for a slow receiver for ten seconds, head and body together, and then says timeout.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25'],
  needs: need.testDelivery,
  check: async (t) => {
    const { timeout } = t.spelling.test_webhook_endpoint_response_error;
    const endpoints = [
      { reactions: [{ answer: 200, delayMs: 8_000 }] as const },
      { reactions: [{ answer: 'hang' }] as const },
      { reactions: [{ answer: 200, delayMs: 12_000 }] as const },
      { reactions: [{ answer: 'slow_body', delayMs: 12_000 }] as const },
      { reactions: [{ answer: 'trickle', delayMs: 12_000 }] as const },
    ];
    await withHooks(t, endpoints, async (...hooks) => {
      const [patient, ...others] = await Promise.all(hooks.map((hook) => testHook(t, hook)));
      const said = patient?.ok('testWebhookEndpoint');
      // On a busy machine the answer may reach the target two seconds late.
      if (said?.error === timeout && (patient?.tookMs ?? 0) >= 10_000) {
        t.untested('not_exercised', 'what was to be answered after eight seconds may have come after ten');
      }
      t.equal(said, { status_code: 200, error: '' }, 'after eight seconds', patient);
      const names = ['no answer', 'a head after twelve seconds', 'a body after twelve seconds', 'byte by byte'];
      for (const [i, answer] of others.entries()) {
        // That it does not wait much longer shows in the answers that would be whole after twelve seconds. The time of
        // its own answer does not show it: on a busy machine that comes late.
        t.equal(answer.ok('testWebhookEndpoint'), { status_code: 0, error: timeout }, names[i] ?? '', answer);
        t.check(answer.tookMs > 9_000, `it waited for ${Math.round(answer.tookMs)} ms`, answer);
      }
    });
  },
});

/** An unknown id is enough: if such an operation existed, it would answer that there is no such endpoint. */
async function noFurtherDoors(t: TestContext, id: string): Promise<void> {
  const full = t.as('full');
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${id}`],
    ['PUT', `/${id}`],
    ['PATCH', `/${id}`],
    ['POST', `/${id}`],
    ['POST', `/${id}/_enable`],
    ['POST', `/${id}/_disable`],
    ['POST', `/${id}/_rotate`],
    ['GET', `/${id}/_test`],
    ['GET', `/${id}/secret`],
    ['GET', `/${id}/deliveries`],
  ] as const) {
    const body = method === 'GET' ? {} : { body: { status: t.spelling.webhook_endpoint_status.ACTIVE } };
    const answer = await full.send({ method, path: `/webhook_endpoints${path}`, ...body });
    answer.fails(['METHOD_NOT_ALLOWED', 'PATH_NOT_FOUND'], `${method} /webhook_endpoints${path}`);
  }
}

rule({
  id: 'WHK-17',
  level: 'MUST',
  text: 'No operation lists, shows, changes or enables endpoints.',
  place: 'paths',
  decisions: ['D-24'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
  check: async (t) => {
    if (t.run.callbacks.url === '') await noFurtherDoors(t, UNKNOWN_ID);
    else await withHooks(t, [{}], ({ id }) => noFurtherDoors(t, id));
  },
});

rule({
  id: 'WHK-19',
  level: 'MUST',
  text: 'Failed tests never disable an endpoint.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25'],
  needs: together(need.documentEvents, need.testDelivery),
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

rule({
  id: 'WHK-21',
  level: 'MUST',
  text: 'A tenant has no more endpoints than the target declares; a deletion makes room again.',
  place: 'WEBHOOK_ENDPOINT_LIMIT_REACHED',
  decisions: ['D-24'],
  needs: together(need.testDelivery, { keys: ['other_tenant'] }),
  check: async (t) => {
    const most = t.values.webhook_endpoints_maximum;
    if (most === 0) t.skip('the target declares no limit');
    const wanted = { key: 'other_tenant', types: ['person.changed'] } as const;
    const made: Hook[] = [];
    await t.link.holding('endpoints of the other tenant', 'exclusive', async () => {
      try {
        let full: Answer | undefined;
        // Several at once, since each of them could count the endpoints before any of the others is there.
        while (full === undefined && made.length <= most) {
          const round = await Promise.all(Array.from({ length: AT_ONCE }, () => askForHook(t, wanted)));
          made.push(...round.filter(({ answer }) => answer.status === 200).map(hookOf));
          full = round.find(({ answer }) => answer.status !== 200)?.answer;
        }
        full?.fails('WEBHOOK_ENDPOINT_LIMIT_REACHED', `one more than ${made.length}`);
        t.check(made.length > 0, 'not a single endpoint could be made');
        t.check(made.length <= most, `${made.length} endpoints could be made; the target declares ${most}`);
        const last = made.pop() as Hook;
        (await deleteHook(t, last, 'other_tenant')).ok('deleteWebhookEndpoint');
        made.push(await makeHook(t, wanted));
        (await askForHook(t, wanted)).answer.fails('WEBHOOK_ENDPOINT_LIMIT_REACHED', 'one more after one was replaced');
      } finally {
        for (const hook of made) await deleteHook(t, hook, 'other_tenant').catch(() => {});
      }
    });
  },
});

rule({
  id: 'WHK-22',
  level: 'MUST',
  text: 'An endpoint belongs to the tenant: another key, also another owner’s, can test and delete it.',
  place: 'testWebhookEndpoint, deleteWebhookEndpoint',
  decisions: ['D-24'],
  needs: together(need.testDelivery, { keys: ['second_owner', 'webhooks_manage'] }),
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
  id: 'WHK-23',
  level: 'MUST',
  text: 'The deletion of an endpoint answers {}, and is 404 from the second time on.',
  place: 'deleteWebhookEndpoint',
  decisions: ['D-24'],
  needs: need.testDelivery,
  check: async (t) => {
    const hook = await makeHook(t);
    t.equal((await deleteHook(t, hook)).ok('deleteWebhookEndpoint'), {}, 'the answer to a deletion');
    (await deleteHook(t, hook)).fails('WEBHOOK_ENDPOINT_NOT_FOUND', 'a second deletion');
    (await testHook(t, hook)).fails('WEBHOOK_ENDPOINT_NOT_FOUND', '_test of a deleted endpoint');
  },
});

rule({
  id: 'WHK-24',
  level: 'MUST',
  text: 'A disabled endpoint refuses tests, receives nothing, and can be deleted.',
  place: 'WEBHOOK_ENDPOINT_DISABLED',
  decisions: ['D-24', 'D-25'],
  needs: together(need.documentEvents, need.testDelivery, { admin: ['disable_webhook_endpoint'] }),
  check: async (t) => {
    await withHooks(t, [{}, {}], async (hook, other) => {
      await t.admin('disable_webhook_endpoint', { endpoint_id: hook.id });
      (await testHook(t, hook)).fails('WEBHOOK_ENDPOINT_DISABLED', '_test');
      const id = await waiting(t);
      await reject(t, id);
      await arrived(t, other, { containing: id });
      await marker(t, other);
      t.equal((await received(t, hook, id)).length, 0, 'deliveries to the disabled endpoint');
      t.equal((await testHook(t, other)).ok('testWebhookEndpoint').status_code, 200, '_test of another endpoint');
      (await deleteHook(t, hook)).ok('deleteWebhookEndpoint', 'deletion of the disabled endpoint');
    });
  },
});

rule({
  id: 'WHK-26',
  level: 'MUST',
  text: '_test shows nothing of the receiver’s answer but its status.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25'],
  needs: need.testDelivery,
  check: async (t) => {
    for (const answer of [200, 418, 500]) {
      await withHooks(t, [{ reactions: [{ answer, location: `https://${RECEIVER_TEXT}.example/` }] }], async (hook) => {
        const shown = await testHook(t, hook);
        t.check(!shown.text.includes(RECEIVER_TEXT), 'the answer repeats what the receiver said', shown);
        const headers = shown.exchange.headers.flat().join('\n');
        t.check(!headers.includes(RECEIVER_TEXT), 'a header repeats what the receiver said', shown);
        t.equal(shown.ok('testWebhookEndpoint'), { status_code: answer, error: '' }, 'all that is shown', shown);
      });
    }
  },
});

rule({
  id: 'WHK-27',
  level: 'MUST',
  text: '_test needs no body, and refuses a body with a field.',
  place: 'testWebhookEndpoint',
  decisions: ['D-6a'],
  needs: need.testDelivery,
  check: async (t) => {
    const full = t.as('full');
    await withHooks(t, [{}], async (hook) => {
      const path = `/webhook_endpoints/${hook.id}/_test`;
      const bare = await full.send({ method: 'POST', path });
      t.equal(bare.ok('testWebhookEndpoint', 'without a body').status_code, 200, 'the status', bare);
      (await full.post(path, { url: 'https://127.0.0.1/' })).blames('url', 'with a field');
      (await full.post(path, { type: 'document.sent' })).blames('type', 'with a type');
      const tests = (await received(t, hook)).filter(ofType('webhook_endpoint.test'));
      t.equal(tests.map(formComplaint), [''], 'the deliveries');
    });
  },
});

rule({
  id: 'WHK-29',
  level: 'MUST',
  text: 'The target never connects to an address that it refuses.',
  place: 'createWebhookEndpoint',
  decisions: ['D-28'],
  needs: together(need.endpoints, { operations: ['testWebhookEndpoint'] }),
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
