/** Calls that cause events, and what every delivery must be. */

import { bytesOf, type Delivery } from '../../callbacks/delivery.ts';
import { arrived, type EventType, envelopeOf, firstOfEach, type Hook, received } from '../../callbacks/hooks.ts';
import { parseSignature, verifies } from '../../callbacks/signature.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Api } from '../../http/api.ts';
import { headerOf } from '../../http/exchange.ts';
import { unreadable } from '../../judge/readers.ts';
import { type Actor, approval, cast, done, routed, sent, signing } from './document-calls.ts';
import { SKEW_MS } from './movable-clock.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SIGNATURE_AGE_MS = 300_000;

/** The full key's owner, with the key spread over all equivalent ones: causing an event costs several requests. */
const owner = (t: TestContext): Actor => cast(t, { spread: true }).full;

/** The full key, spread over all equivalent ones. */
export const many = (t: TestContext): Api => t.asAny('full');

/** A document of the full key's owner that waits for that owner's signature. @returns its id */
export async function waiting(t: TestContext): Promise<string> {
  const me = owner(t);
  return (await sent(t, me, [signing(me)])).id;
}

/** Rejects a waiting document. This causes one event, of a type that hardly anything else causes. */
export async function reject(t: TestContext, id: string): Promise<void> {
  await done(owner(t).api, id, '_reject', { comment: 'Нет.' });
}

/** A rejected document. @returns its id */
export async function rejected(t: TestContext): Promise<string> {
  const id = await waiting(t);
  await reject(t, id);
  return id;
}

/**
 * A draft whose route has an approval and a signature by the owner: sending, approving and signing cause four events.
 */
export async function routedDraft(t: TestContext): Promise<string> {
  const me = owner(t);
  return (await routed(t, me, [approval(me), signing(me)])).id;
}

/**
 * Waits until each hook has received an event that is later than everything done before. What has not arrived by then
 * will not arrive.
 */
export async function marker(t: TestContext, ...hooks: Hook[]): Promise<void> {
  const id = await rejected(t);
  for (const hook of hooks) await arrived(t, hook, { containing: id, type: 'document.rejected' });
}

/** Exactly these events must report each object to the hook, each as often as its type is named. */
export async function mustBeReported(
  t: TestContext,
  hook: Hook,
  reports: readonly (readonly [id: string, types: readonly EventType[]])[],
): Promise<void> {
  const countsOf = (types: readonly EventType[]) =>
    [...new Set(types)].map((type) => ({ type, count: types.filter((one) => one === type).length }));
  for (const [containing, types] of reports) {
    for (const wanted of countsOf(types)) await arrived(t, hook, { containing, distinct: true, ...wanted });
  }
  await marker(t, hook);
  for (const [id, types] of reports) {
    const events = firstOfEach(await received(t, hook, id)).map((one) => envelopeOf(one).type);
    t.equal(events.toSorted(), types.toSorted(), 'the events about it');
  }
}

/** Ids of the different events about an object that arrived, by type. */
export async function eventsAbout(t: TestContext, hook: Hook, id: string): Promise<Record<string, string[]>> {
  const events = firstOfEach(await received(t, hook, id)).map(envelopeOf);
  const byType = Map.groupBy(events, ({ type }) => type);
  return Object.fromEntries([...byType].map(([type, of]) => [type, of.map((event) => event.id)]));
}

/** Eight attempts take about a day; '' if so. @param times of the attempts, in seconds */
export function spanComplaint(times: readonly number[]): string {
  const hours = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 3_600;
  return hours >= 18 && hours <= 30 ? '' : `the attempts span ${hours.toFixed(1)} hours`;
}

/** What is wrong with the form of a delivery; '' if nothing is. */
export function formComplaint(delivery: Delivery): string {
  if (delivery.method !== 'POST') return `the method is ${delivery.method}`;
  const type = headerOf(delivery, 'content-type') ?? '(none)';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?)?\s*$/i.test(type)) return `the Content-Type is ${type}`;
  const keys = Object.keys(envelopeOf(delivery)).sort().join();
  return keys === '' ? 'the body is no JSON object' : '';
}

export function envelopeComplaint(delivery: Delivery): string {
  const envelope = envelopeOf(delivery);
  const keys = Object.keys(envelope).sort().join();
  if (keys !== 'data,id,occurred_at,type') return `the envelope has the fields ${keys}`;
  if (typeof envelope.id !== 'string' || !UUID.test(envelope.id)) return 'the id is no UUID';
  return unreadable(bytesOf(delivery), envelope);
}

export function occurrenceComplaint(delivery: Delivery): string {
  const { occurred_at } = envelopeOf(delivery);
  const late = Date.parse(String(occurred_at)) - delivery.at_ms;
  return late <= SKEW_MS ? '' : `occurred_at is ${late} ms after the delivery`;
}

/** The data must name one object and contain nothing else; '' if so. */
export function dataComplaint(delivery: Delivery): string {
  const { type: given, data } = envelopeOf(delivery);
  const type = String(given);
  const wanted = type.startsWith('document.')
    ? 'document_id'
    : type === 'webhook_endpoint.test'
      ? 'webhook_endpoint_id'
      : 'employee_id';
  const keys = Object.keys(data ?? {}).join();
  if (keys !== wanted) return `the data of ${type} has the fields ${keys}`;
  return UUID.test(data[wanted] ?? '') ? '' : `${wanted} is no UUID`;
}

export function signatureComplaint(delivery: Delivery, secret: string): string {
  const signature = parseSignature(headerOf(delivery, 'Service-Signature'));
  if (signature === undefined) return 'there is no Service-Signature of the documented form';
  return verifies(secret, signature, bytesOf(delivery)) ? '' : 'the signature does not verify over the raw body';
}

export function ageComplaint(delivery: Delivery): string {
  const signature = parseSignature(headerOf(delivery, 'Service-Signature'));
  const age = Math.abs(delivery.at_ms - (signature?.t ?? 0) * 1000);
  return age <= SIGNATURE_AGE_MS ? '' : `t is ${Math.round(age / 1000)} s from the arrival`;
}

/** Checks everything that must hold for a delivery to this hook. */
export function mustBeSound(t: TestContext, delivery: Delivery, { secret }: Pick<Hook, 'secret'>): void {
  const complaint =
    formComplaint(delivery) ||
    envelopeComplaint(delivery) ||
    dataComplaint(delivery) ||
    signatureComplaint(delivery, secret);
  t.check(complaint === '', `delivery ${delivery.n}: ${complaint}`);
}
