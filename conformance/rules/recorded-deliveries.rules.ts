import { bytesOf, type Delivery, type MadeEndpoint } from '../callbacks/delivery.ts';
import { arrived, EVENT_TYPES, envelopeOf, observer, received, testHook } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
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

const rule = rulesWith({ place: 'Service-Signature', runs: 'late' });

/** All deliveries of the run, with the endpoints on their route; there is at least a test and an event. */
async function everything(t: TestContext): Promise<[Delivery, MadeEndpoint[]][]> {
  const hook = await observer(t);
  (await testHook(t, hook)).ok('testWebhookEndpoint');
  await arrived(t, hook, { containing: await rejected(t), type: 'document.rejected' });
  const at = Map.groupBy(t.run.madeEndpoints, ({ route }) => route);
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

function typeComplaint(one: Delivery): string {
  const { type } = envelopeOf(one);
  const isKnown = type === 'webhook_endpoint.test' || EVENT_TYPES.some((name) => name === type);
  return isKnown ? '' : `the type ${String(type).slice(0, 60)} is not in the list`;
}

rule({
  id: 'EVT-1',
  text: 'A delivery is an HTTP POST of JSON, an envelope of exactly id, type, occurred_at and data, of a type that the contract lists or of the test.',
  place: 'webhooks, WebhookEventType',
  check: (t) => all(t, (one) => formComplaint(one) || envelopeComplaint(one) || typeComplaint(one)),
});

rule({
  id: 'EVT-6',
  text: 'A delivery carries identifiers only, of what has occurred: employee events say employee_id, document events document_id, and nothing else.',
  place: 'webhooks, EmployeeEventData, DocumentEventData',
  check: async (t) => {
    const hook = await observer(t);
    const id = t.fixture('employee_id');
    const { employee_number = '' } = await t.as('full').employee(id);
    // The number is changed and put back, so that even a run of this rule alone has such events.
    for (const [n, number] of [`V-${t.run_id}`, employee_number].entries()) {
      await applyChanges(t, String(n), [{ op: 'update', id, employee: { employee_number: number } }]);
    }
    await arrived(t, hook, { containing: id, type: 'employee.changed' });
    const complaint = (one: Delivery) =>
      dataComplaint(one) ||
      (one.clock_was_moved ? '' : occurrenceComplaint(one)) ||
      (t.redactor.leaksIn(bytesOf(one).toString('utf8')).length === 0 ? '' : 'it holds a personal value');
    for (const events of [/^(employee|person)\./, /^document\./, /^webhook_endpoint\./])
      await all(t, complaint, (one) => events.test(envelopeOf(one).type ?? ''));
  },
});

function headerComplaint(one: Delivery): string {
  const header = one.headers.filter(([name]) => name.toLowerCase() === 'service-signature').map(([, value]) => value);
  const [only = '(none)'] = header;
  return header.length === 1 && /^t=\d{10},v1=[0-9a-f]{64}$/.test(only) ? '' : `Service-Signature is ${header}`;
}

/** Two endpoints may have the same URL; then either secret may have signed. */
const signedByOne = (one: Delivery, endpoints: MadeEndpoint[]): string => {
  const complaints = endpoints.map(({ secret }) => signatureComplaint(one, secret));
  return complaints.find((text) => text !== '' && complaints.every((other) => other !== '')) ?? '';
};

rule({
  id: 'SIG-2',
  text: 'Every delivery, a test and a repeat too, has one Service-Signature: t=<ten digits>,v1=<64 lower-case hexadecimal digits>. v1 is the HMAC-SHA256 of t, a dot and the raw bytes of the body, keyed with the whole secret; t is the time of the attempt, never more than five minutes from its arrival.',
  decisions: ['D-24', 'D-27'],
  check: (t) =>
    all(
      t,
      (one, endpoints) =>
        headerComplaint(one) || signedByOne(one, endpoints) || (one.clock_moved ? '' : ageComplaint(one)),
    ),
});
