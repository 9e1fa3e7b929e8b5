/** DLV: what counts as delivered, when a delivery is retried, and when an endpoint is given up. */
import { causesEvents, type Extra, ofTemplate, type Rule, row } from '../rule.ts';

const needs = {
  callbacks: true,
  operations: ['createWebhookEndpoint', 'testWebhookEndpoint', 'deleteWebhookEndpoint', ...causesEvents],
  fixtures: [...ofTemplate, 'owner_employee_id'],
} as const;

const delivery = (id: string, text: string, extra: Extra = {}): Rule =>
  row(id, 'MUST', text, 'webhooks', { decisions: ['D-27'], ...extra, needs: { ...needs, ...extra.needs } });

/** A rule that needs hours of the target's time, so a clock that can be moved. */
const inTime = (id: string, text: string, extra: Extra = {}): Rule =>
  delivery(id, text, { ...extra, needs: { ...extra.needs, clock: true } });

export const deliveryRules: readonly Rule[] = [
  delivery('DLV-1', 'Any 2xx is a success: the event is not sent again.'),
  delivery('DLV-2', 'Any other status is a failure: the event is sent again.'),
  delivery('DLV-3', 'A receiver may take nine seconds.'),
  delivery('DLV-4', 'A receiver that takes eleven seconds, for the head or for the body, has failed.'),
  delivery('DLV-5', 'A connection that is refused, or whose TLS is none or not to be trusted, is a failure.'),
  inTime('DLV-6', 'There are eight attempts at most.'),
  inTime('DLV-7', 'The waits between attempts grow, and are as the target declares.'),
  inTime('DLV-8', 'The eight attempts span about a day: 18 to 30 hours.'),
  inTime('DLV-9', 'Every attempt has the same body, so the same id, type and data.'),
  inTime('DLV-10', 'A success ends the attempts, whichever it is.'),
  inTime(
    'DLV-11',
    'The twentieth delivery in a row that failed for good disables the endpoint, the nineteenth does not.',
  ),
  inTime('DLV-12', 'A success between failures starts the count anew.'),
  inTime('DLV-13', 'Attempts that fail before the delivery succeeds do not count.'),
  inTime('DLV-14', 'A disabled endpoint gets nothing more, the others of the tenant do.'),
  delivery('DLV-15', 'What happened while an endpoint was disabled is not told after it is enabled.', {
    needs: { admin: ['disable_webhook_endpoint', 'enable_webhook_endpoint'] },
  }),
  delivery('DLV-16', 'A receiver that hangs does not hold up the others.'),
  delivery('DLV-17', 'A redirect is a failure and is not followed.'),
  inTime('DLV-18', 'What was still to be sent to an endpoint when it was deleted is not sent.', {
    decisions: ['D-24'],
  }),
  delivery('DLV-19', 'A connection that breaks after the request was read is a failure: the event is sent again.'),
  delivery('DLV-20', 'An answer that never ends is cut off; its status decides.'),
];
