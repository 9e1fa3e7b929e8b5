/** EVT: which events exist, what they contain, and who receives them. */
import type { AdminCommand } from '../../profile/profile.ts';
import { causesEvents, type Extra, ofTemplate, type Rule, row, threeOwners } from '../rule.ts';

const endpoints = ['createWebhookEndpoint', 'deleteWebhookEndpoint'] as const;

/** A rule about events. It needs documents of the full key's owner, unless it says otherwise. */
const event = (id: string, text: string, place = 'webhooks', extra: Extra = {}): Rule =>
  row(id, 'MUST', text, place, {
    ...extra,
    needs: {
      operations: [...endpoints, ...causesEvents],
      fixtures: [...ofTemplate, 'owner_employee_id'],
      ...extra.needs,
      callbacks: true,
    },
  });

/** A rule about events that the application causes by changing employees. */
const ofEmployee = (id: string, text: string, place: string, extra: Extra = {}): Rule =>
  event(id, text, place, {
    ...extra,
    needs: { operations: endpoints, admin: ['apply_employee_changes'], fixtures: ['department_id'] },
    tenant: 'changes',
  });

const ofDocument = (id: string, text: string, place: string, admin: readonly AdminCommand[] = []): Rule =>
  event(id, text, place, {
    decisions: ['D-19'],
    needs: { ...threeOwners, admin },
  });

export const eventRules: readonly Rule[] = [
  event('EVT-1', 'A delivery is an HTTP POST of JSON.'),
  event('EVT-2', 'An envelope has exactly id, type, occurred_at and data.'),
  event('EVT-3', 'An event has an id of its own, which every repeat of its delivery keeps.', 'webhooks', {
    decisions: ['D-27'],
  }),
  event('EVT-4', 'Only types of the list are delivered, and of others only the test.', 'WebhookEventType'),
  event('EVT-5', 'occurred_at is an RFC 3339 instant before the delivery and after the change was asked for.'),
  event('EVT-6', 'Employee events say employee_id and nothing else.', 'EmployeeEventData', {
    needs: { fixtures: ['employee_id', ...ofTemplate, 'owner_employee_id'], admin: ['apply_employee_changes'] },
    tenant: 'changes',
  }),
  event('EVT-7', 'Document events say document_id and nothing else.', 'DocumentEventData'),
  ofEmployee('EVT-8', 'person.changed names an employment of the person, and nothing else.', 'person.changed', {
    decisions: ['D-26'],
  }),
  event('EVT-9', 'An endpoint gets only the types that it subscribes.'),
  ofEmployee('EVT-10', 'A new employee is told by employee.changed, once.', 'employee.changed'),
  ofEmployee('EVT-11', 'A change of an employee’s card is told by employee.changed.', 'employee.changed'),
  ofEmployee(
    'EVT-12',
    'A change of the person’s names, number or contacts is told by employee.changed, and moves update_time.',
    'employee.changed',
    { decisions: ['D-29'] },
  ),
  ofEmployee('EVT-13', 'A deletion is told by employee.deleted, once; the employee is then 404.', 'employee.deleted'),
  ofEmployee(
    'EVT-14',
    'A change of names or number is told by person.changed; one of contacts or of the card is not.',
    'person.changed',
    { decisions: ['D-26'] },
  ),
  ofDocument('EVT-15', 'A send is told by document.sent, once.', 'document.sent'),
  ofDocument(
    'EVT-16',
    'The begin of approval is told by document.approval_started, once.',
    'document.approval_started',
  ),
  ofDocument('EVT-17', 'The begin of signing is told by document.signing_started, once.', 'document.signing_started'),
  ofDocument('EVT-18', 'Completion is told by document.completed, once.', 'document.completed'),
  ofDocument('EVT-19', 'A rejection is told by document.rejected, once.', 'document.rejected'),
  ofDocument(
    'EVT-20',
    'A request for changes is told by document.change_requested, once.',
    'document.change_requested',
    ['request_changes'],
  ),
  ofDocument('EVT-21', 'A revocation is told by document.revoked, once.', 'document.revoked', ['revoke_document']),
  ofDocument('EVT-22', 'A deletion is told by document.deleted, once; the document is then 404.', 'document.deleted', [
    'delete_document',
  ]),
  event(
    'EVT-23',
    'Events tell of every document of the tenant, also those that the maker of the endpoint cannot see; a re-read is then 404.',
    'webhooks',
    { needs: { keys: ['restricted_owner'] } },
  ),
  event('EVT-24', 'No event reaches an endpoint of another tenant.', 'webhooks', {
    needs: { keys: ['other_tenant'] },
  }),
  ofEmployee('EVT-25', 'Of fifty changes at once none stays untold.', 'webhooks'),
  event('EVT-26', 'A draft is told of by no event, nor is what is done to it before it is sent.'),
  event('EVT-27', 'Who re-reads a document on its event finds it in the state that the event tells.'),
  event('EVT-28', 'Every endpoint that subscribes the type gets the event.'),
  event('EVT-29', 'An event has the same id and the same body for all endpoints.', 'webhooks', {
    decisions: ['D-27'],
  }),
  event('EVT-30', 'What is refused is told by no event: no repeated send or signature, no wrong act.'),
];
