import { type Delivery, headerOf, type MadeEndpoint } from '../callbacks/delivery.ts';
import { arrived, EVENT_TYPES, envelopeOf, observer, received, testHook } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { applyChanges } from './shared/calls.ts';
import {
  ageComplaint,
  dataComplaint,
  envelopeComplaint,
  formComplaint,
  occurrenceComplaint,
  rejected,
  signatureComplaint,
} from './shared/event-calls.ts';
import { need, together } from './shared/needs.ts';

/** All deliveries of the run, with the endpoints on their route; there is at least a test and an event. */
async function everything(t: TestContext): Promise<[Delivery, MadeEndpoint[]][]> {
  const hook = await observer(t);
  (await testHook(t, hook)).ok('testWebhookEndpoint');
  await arrived(t, hook, { containing: await rejected(t), type: 'document.rejected' });
  const endpoints = await t.link.callbacks<MadeEndpoint[]>({ do: 'endpoints' });
  const at = Map.groupBy(endpoints, ({ route }) => route);
  return (await received(t, undefined)).flatMap((one) => {
    const known = at.get(one.route);
    return known === undefined ? [] : [[one, known] as [Delivery, MadeEndpoint[]]];
  });
}

/** Judges each delivery to which the rule applies; there must be one. The first few complaints are reported. */
async function all(
  t: TestContext,
  complaint: (delivery: Delivery, endpoints: MadeEndpoint[]) => string,
  concerned: (delivery: Delivery) => boolean = () => true,
): Promise<void> {
  const deliveries = (await everything(t)).filter(([one]) => concerned(one));
  if (deliveries.length === 0) t.untested('not_exercised', 'no delivery of the run was an occasion for it');
  const found = deliveries.flatMap(([one, endpoints]) => {
    const text = complaint(one, endpoints);
    return text === '' ? [] : [`delivery ${one.n} to ${one.route}: ${text}`];
  });
  t.equal(found.slice(0, 3), [], `${found.length} of ${deliveries.length} deliveries`);
}

rule({
  id: 'EVT-1',
  level: 'MUST',
  text: 'A delivery is an HTTP POST of JSON.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  runs: 'last',
  check: (t) => all(t, formComplaint),
});
rule({
  id: 'EVT-2',
  level: 'MUST',
  text: 'An envelope has exactly id, type, occurred_at and data.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  runs: 'last',
  check: (t) => all(t, envelopeComplaint),
});

rule({
  id: 'EVT-4',
  level: 'MUST',
  text: 'Only event types that the contract lists are delivered, and the test event.',
  place: 'WebhookEventType',
  needs: together(need.documentEvents, { callbacks: true }),
  runs: 'last',
  check: (t) =>
    all(t, (one) => {
      const { type } = envelopeOf(one);
      const known = type === 'webhook_endpoint.test' || EVENT_TYPES.some((name) => name === type);
      return known ? '' : `the type ${String(type).slice(0, 60)} is not in the list`;
    }),
});

const tells = (of: RegExp) => (one: Delivery) => of.test(envelopeOf(one).type ?? '');

rule({
  id: 'EVT-6',
  level: 'MUST',
  text: 'Employee events say employee_id and nothing else.',
  place: 'EmployeeEventData',
  needs: together(need.documentEvents, {
    fixtures: ['employee_id'],
    admin: ['apply_employee_changes'],
    callbacks: true,
  }),
  runs: 'last',
  check: async (t) => {
    const hook = await observer(t);
    const id = t.fixture('employee_id');
    const { employee_number = '' } = await t.as('full').employee(id);
    // The number is changed and put back, so that even a run of this rule alone has such events.
    for (const [n, number] of [`V-${t.run.run_id}`, employee_number].entries()) {
      await applyChanges(t, String(n), [{ op: 'update', id, employee: { employee_number: number } }]);
    }
    await arrived(t, hook, { containing: id, type: 'employee.changed' });
    await all(t, dataComplaint, tells(/^(employee|person)\./));
  },
});
rule({
  id: 'EVT-7',
  level: 'MUST',
  text: 'Document events say document_id and nothing else.',
  place: 'DocumentEventData',
  needs: together(need.documentEvents, { callbacks: true }),
  runs: 'last',
  check: (t) => all(t, dataComplaint, tells(/^document\./)),
});

rule({
  id: 'SIG-1',
  level: 'MUST',
  text: 'The header Service-Signature reads t=<ten digits>,v1=<64 lower-case hexadecimal digits>.',
  place: 'Service-Signature',
  needs: together(need.documentEvents, need.testDelivery),
  runs: 'last',
  check: (t) =>
    all(t, (one) => {
      const header = one.headers
        .filter(([name]) => name.toLowerCase() === 'service-signature')
        .map(([, value]) => value);
      const [only = '(none)'] = header;
      return header.length === 1 && /^t=\d{10},v1=[0-9a-f]{64}$/.test(only) ? '' : `Service-Signature is ${header}`;
    }),
});

/** Two endpoints may have the same URL; then either secret may have signed. */
const signedByOne = (one: Delivery, endpoints: MadeEndpoint[]): string => {
  const complaints = endpoints.map(({ secret }) => signatureComplaint(one, secret));
  return complaints.find((text) => text !== '' && complaints.every((other) => other !== '')) ?? '';
};

rule({
  id: 'SIG-2',
  level: 'MUST',
  text: 'v1 of a signature is the HMAC-SHA256 of t, a dot and the raw bytes of the body, keyed with the whole secret.',
  place: 'Service-Signature',
  decisions: ['D-24'],
  needs: together(need.documentEvents, need.testDelivery),
  runs: 'last',
  check: (t) => all(t, signedByOne),
});
rule({
  id: 'SIG-7',
  level: 'MUST',
  text: 'Every delivery of the run was signed, tests and repeats included.',
  place: 'Service-Signature',
  decisions: ['D-25', 'D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  runs: 'last',
  check: (t) =>
    all(t, (one) => (headerOf(one, 'service-signature') === undefined ? 'there is no Service-Signature' : '')),
});
rule({
  id: 'SIG-3',
  level: 'MUST',
  text: 't of a signature is the time of the attempt: never more than five minutes from its arrival.',
  place: 'Service-Signature',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  runs: 'last',
  check: (t) => all(t, (one) => (one.clock_moved ? '' : ageComplaint(one))),
});

rule({
  id: 'PRIV-5',
  level: 'MUST',
  text: 'A delivery of an event carries identifiers only.',
  place: 'webhooks',
  needs: together(need.template, {
    operations: [
      'createWebhookEndpoint',
      'testWebhookEndpoint',
      'createDocument',
      'setDocumentRoute',
      'sendDocument',
      'rejectDocument',
    ],
    callbacks: true,
    fixtures: ['owner_employee_id'],
  }),
  runs: 'last',
  check: async (t) => {
    await all(t, (one) => envelopeComplaint(one) || dataComplaint(one) || occurrenceComplaintUnlessMoved(one));
    for (const [one] of await everything(t)) {
      const body = Buffer.from(one.body, 'base64').toString('utf8');
      t.check(t.redactor.leaksIn(body).length === 0, `delivery ${one.n} holds a personal value`);
    }
  },
});

const occurrenceComplaintUnlessMoved = (one: Delivery) => (one.clock_was_moved ? '' : occurrenceComplaint(one));
