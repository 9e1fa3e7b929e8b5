/** WHK: endpoints for events, and the operation that tests them. */
import { causesEvents, type Extra, ofTemplate, type Rule, row } from '../rule.ts';

const operations = ['createWebhookEndpoint', 'testWebhookEndpoint', 'deleteWebhookEndpoint'] as const;

/** A rule that can be judged by answers alone. */
const plain = (id: string, text: string, place: string, extra: Extra = {}): Rule =>
  row(id, 'MUST', text, place, {
    ...extra,
    needs: { ...extra.needs, operations: [...operations, ...(extra.needs?.operations ?? [])] },
  });

/** A rule that needs an address that the target accepts and delivers to. */
const heard = (id: string, text: string, place: string, extra: Extra = {}): Rule =>
  plain(id, text, place, { ...extra, needs: { ...extra.needs, callbacks: true } });

/** What is needed to cause an event, which is then delivered or not. */
const events = { operations: causesEvents, fixtures: [...ofTemplate, 'owner_employee_id'] } as const;

export const webhookRules: readonly Rule[] = [
  heard(
    'WHK-1',
    'A new endpoint is ACTIVE and shows the URL and the event types that were given; beside it stands its secret.',
    'createWebhookEndpoint',
    { decisions: ['D-24'] },
  ),
  plain('WHK-2', 'Only https URLs are accepted.', 'createWebhookEndpoint', { decisions: ['D-28'] }),
  plain(
    'WHK-3',
    'Hosts that are private, reserved or this machine are refused in every notation of their address.',
    'createWebhookEndpoint',
    { decisions: ['D-28'] },
  ),
  plain('WHK-4', 'Names that lead to private addresses, or nowhere, are refused.', 'createWebhookEndpoint', {
    decisions: ['D-28'],
  }),
  heard('WHK-5', 'A redirect is reported as such by _test and never followed.', 'testWebhookEndpoint', {
    decisions: ['D-25', 'D-27'],
  }),
  plain('WHK-6', 'An event type that is not in the list is INVALID_ARGUMENT.', 'createWebhookEndpoint', {
    decisions: ['D-24'],
  }),
  plain(
    'WHK-7',
    'Event types that are missing, empty, doubled or no array of texts are INVALID_ARGUMENT.',
    'createWebhookEndpoint',
    { decisions: ['D-24'] },
  ),
  heard('WHK-8', 'Every event type can be subscribed to, each alone and all at once.', 'WebhookEventType', {
    decisions: ['D-24'],
  }),
  heard('WHK-9', 'The secret is in the answer of the creation and in no other answer.', 'createWebhookEndpoint', {
    decisions: ['D-24'],
  }),
  heard('WHK-10', 'Every endpoint has a secret of its own, of at least 128 random bits.', 'createWebhookEndpoint', {
    decisions: ['D-24'],
  }),
  heard(
    'WHK-11',
    'The same URL with the same event types can be subscribed twice, with two ids and two secrets.',
    'createWebhookEndpoint',
    { decisions: ['D-24'] },
  ),
  heard('WHK-12', 'A deleted endpoint receives nothing more; the others do.', 'deleteWebhookEndpoint', {
    decisions: ['D-24'],
    needs: events,
  }),
  heard('WHK-13', '_test answers with the very status that the receiver gave.', 'testWebhookEndpoint', {
    decisions: ['D-25'],
  }),
  heard(
    'WHK-14',
    '_test and deletion of an unknown id, of a malformed one, and of another tenant’s endpoint are 404, and nothing is sent or deleted.',
    'testWebhookEndpoint, deleteWebhookEndpoint',
    { decisions: ['D-5', 'D-14'], needs: { keys: ['other_tenant'] } },
  ),
  heard(
    'WHK-15',
    'The test event is one signed envelope of type webhook_endpoint.test that names the endpoint, and is not repeated.',
    'webhook_endpoint.test',
    { decisions: ['D-25'], needs: events },
  ),
  heard(
    'WHK-16',
    '_test waits for a slow receiver for ten seconds, head and body together, and then says timeout.',
    'testWebhookEndpoint',
    { decisions: ['D-25'] },
  ),
  plain('WHK-17', 'No operation lists, shows, changes or enables endpoints.', 'paths', { decisions: ['D-24'] }),
  plain(
    'WHK-18',
    'User information, fragments and ports below 1024 other than 443 are refused.',
    'createWebhookEndpoint',
    { decisions: ['D-28'] },
  ),
  heard('WHK-19', 'Failed tests never disable an endpoint.', 'testWebhookEndpoint', {
    decisions: ['D-25'],
    needs: events,
  }),
  plain(
    'WHK-20',
    'A url that is missing, no text, too long or no URL is INVALID_ARGUMENT, as is any field not known.',
    'createWebhookEndpoint',
    { decisions: ['D-6a', 'D-28'] },
  ),
  heard(
    'WHK-21',
    'A tenant has no more endpoints than the target declares; a deletion makes room again.',
    'WEBHOOK_ENDPOINT_LIMIT_REACHED',
    { decisions: ['D-24'], needs: { keys: ['other_tenant'] } },
  ),
  heard(
    'WHK-22',
    'An endpoint belongs to the tenant: another key, also another owner’s, can test and delete it.',
    'testWebhookEndpoint, deleteWebhookEndpoint',
    { decisions: ['D-24'], needs: { keys: ['second_owner', 'webhooks_manage'] } },
  ),
  heard('WHK-23', 'A deletion answers {}, and is 404 from the second time on.', 'deleteWebhookEndpoint', {
    decisions: ['D-24'],
  }),
  heard(
    'WHK-24',
    'A disabled endpoint refuses tests, receives nothing, and can be deleted.',
    'WEBHOOK_ENDPOINT_DISABLED',
    { decisions: ['D-24', 'D-25'], needs: { ...events, admin: ['disable_webhook_endpoint'] } },
  ),
  heard(
    'WHK-25',
    '_test tells a refused connection from a TLS session that cannot be trusted or does not come about.',
    'testWebhookEndpoint',
    { decisions: ['D-25', 'D-27'] },
  ),
  heard('WHK-26', 'Nothing of what the receiver says is shown but its status.', 'testWebhookEndpoint', {
    decisions: ['D-25'],
  }),
  heard('WHK-27', '_test needs no body, and refuses one with a field.', 'testWebhookEndpoint', {
    decisions: ['D-6a'],
  }),
  plain('WHK-28', 'Public addresses beside the reserved ranges are accepted.', 'createWebhookEndpoint', {
    decisions: ['D-28'],
  }),
  plain('WHK-29', 'Nothing connects to an address that is refused.', 'createWebhookEndpoint', {
    decisions: ['D-28'],
  }),
];
