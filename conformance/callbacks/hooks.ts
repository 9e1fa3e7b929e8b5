/** Endpoints of the target that deliver to the suite, for as long as a test needs them. */
import type { Answers } from '../../generated/handlers.ts';
import type { Answer } from '../answer.ts';
import type { KeyName } from '../profile.ts';
import type { Trial } from '../trial.ts';
import { bytesOf, type Delivery, type Door, type MadeEndpoint, type Reactions } from './delivery.ts';

export const EVENT_TYPES = [
  'employee.changed',
  'employee.deleted',
  'person.changed',
  'document.sent',
  'document.approval_started',
  'document.signing_started',
  'document.completed',
  'document.rejected',
  'document.change_requested',
  'document.revoked',
  'document.deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface Hook {
  id: string;
  secret: string;
  route: string;
  url: string;
  shown: Answers['createWebhookEndpoint']['webhook_endpoint'];
}

export interface Envelope {
  id: string;
  type: string;
  occurred_at: string;
  data: Record<string, string>;
}

export interface HookWish {
  /** Absent: document.rejected, which nearly nobody else causes. */
  types?: readonly EventType[];
  reactions?: Reactions;
  key?: KeyName;
  /** The route of another hook, for two endpoints with one URL. */
  route?: string;
}

const POLL_MS = 100;
let made = 0;

/** The URL of a route at the receiver. */
export const urlOf = (t: Trial, route: string): string => `${t.run.callbacks.url}/${route}`;

/** A route that nobody else has. */
export function newRoute(t: Trial): string {
  made++;
  return `${t.rule.id}-${t.run.run_id}-${process.pid}-${made}`.toLowerCase();
}

/** What a creation was answered, before anybody has judged it. */
interface Creation {
  answer: Answer;
  /** As far as it is told; '' otherwise. */
  id: string;
  route: string;
  url: string;
}

/** Asks for an endpoint. One that was made is known to the run, whatever else its answer says, so that it is deleted. */
export async function askForHook(t: Trial, wish: HookWish = {}): Promise<Creation> {
  const { types = ['document.rejected'], key = 'full', route = newRoute(t) } = wish;
  if (wish.reactions) await react(t, { route }, wish.reactions);
  const url = urlOf(t, route);
  await t.mayWrite();
  const answer = await t.as(key).post('/webhook_endpoints', { url, event_types: [...types] });
  const said = answer.json as { webhook_endpoint?: { id?: unknown }; secret?: unknown } | undefined;
  const told = said?.webhook_endpoint?.id;
  const id = answer.status === 200 && typeof told === 'string' ? told : '';
  if (id !== '') {
    const secret = typeof said?.secret === 'string' ? said.secret : '';
    const endpoint: MadeEndpoint = { id, key: t.keyNames(key)[0] ?? '', route, secret, event_types: [...types] };
    await t.link.callbacks({ do: 'made', endpoint });
  }
  return { answer, id, route, url };
}

/** The endpoint that a creation made. */
export function hookOf({ answer, route, url }: Creation): Hook {
  const { webhook_endpoint: shown, secret } = answer.ok('createWebhookEndpoint');
  return { id: shown.id, secret, route, url, shown };
}

/** Makes an endpoint; the caller deletes it, or the end of the run does. */
export async function makeHook(t: Trial, wish: HookWish = {}): Promise<Hook> {
  return hookOf(await askForHook(t, wish));
}

export async function deleteHook(t: Trial, { id }: Pick<Hook, 'id'>, key: KeyName = 'full'): Promise<Answer> {
  await t.mayWrite();
  const answer = await t.as(key).send({ method: 'DELETE', path: `/webhook_endpoints/${id}` });
  if (answer.status === 200) await t.link.callbacks({ do: 'gone', id });
  return answer;
}

/** Runs with these hooks, and deletes them whatever comes. */
export async function withHooks(t: Trial, wishes: readonly HookWish[], work: (...hooks: Hook[]) => Promise<void>) {
  const hooks: [Hook, KeyName][] = [];
  try {
    for (const wish of wishes) hooks.push([await makeHook(t, wish), wish.key ?? 'full']);
    await work(...hooks.map(([hook]) => hook));
  } finally {
    // What is shown of a failure is what failed, not the tidying up.
    const { last } = t;
    for (const [hook, key] of hooks) await deleteHook(t, hook, key).catch(() => {});
    t.last = last;
  }
}

/** Calls `_test` for a hook. */
export async function testHook(t: Trial, { id }: Pick<Hook, 'id'>, key: KeyName = 'full'): Promise<Answer> {
  await t.mayWrite();
  return t.as(key).post(`/webhook_endpoints/${id}/_test`, {}, { timeoutMs: 20_000 });
}

export const react = (t: Trial, { route }: Pick<Hook, 'route'>, reactions: Reactions, containing?: string) =>
  t.link.callbacks({ do: 'react', route, reactions, ...(containing === undefined ? {} : { containing }) });

export const setDoor = (t: Trial, state: Door): Promise<void> => t.link.callbacks({ do: 'door', state });

/** What came so far, in its order. @param containing only bodies that hold this text, such as an id */
export function received(t: Trial, hook: Pick<Hook, 'route'> | undefined, containing?: string): Promise<Delivery[]> {
  return t.link.callbacks<Delivery[]>({
    do: 'received',
    ...(hook ? { route: hook.route } : {}),
    ...(containing === undefined ? {} : { containing }),
  });
}

/** The envelope of a delivery; {} where it is no JSON object. */
export function envelopeOf(delivery: Delivery): Envelope {
  try {
    const value: unknown = JSON.parse(bytesOf(delivery).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Envelope;
  } catch {}
  return {} as Envelope;
}

export interface Wanted {
  /** Only bodies that hold this text. */
  containing: string;
  /** Only events of this type. */
  type?: string;
  /** At least so many; 1 unless told otherwise. */
  count?: number;
  /** Counts events, however often each was delivered. */
  distinct?: true;
  /** Longer than the first attempt takes. */
  withinMs?: number;
}

export const ofType =
  (type: string | undefined) =>
  (delivery: Delivery): boolean =>
    type === undefined || envelopeOf(delivery).type === type;

/** The first delivery of each event. */
function firstOfEach(deliveries: readonly Delivery[]): Delivery[] {
  return [...new Map(deliveries.toReversed().map((one) => [envelopeOf(one).id, one])).values()].toReversed();
}

/** Waits until so many deliveries came. @returns those that are there when the time is over, be it too few */
export async function waitFor(t: Trial, hook: Pick<Hook, 'route'>, wanted: Wanted): Promise<Delivery[]> {
  const { containing, type, count = 1, distinct, withinMs = t.values.webhook_first_attempt_s * 1000 } = wanted;
  const end = performance.now() + withinMs;
  for (;;) {
    const all = (await received(t, hook, containing)).filter(ofType(type));
    const found = distinct ? firstOfEach(all) : all;
    if (found.length >= count || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The deliveries, which must come. */
export async function arrived(t: Trial, hook: Pick<Hook, 'route'>, wanted: Wanted): Promise<[Delivery, ...Delivery[]]> {
  const found = await waitFor(t, hook, wanted);
  const { type = 'delivery', count = 1 } = wanted;
  t.check(found.length >= count, `${found.length} of ${count} ${type} came in time`);
  return found as [Delivery, ...Delivery[]];
}

let shared: Promise<Hook> | undefined;

/** An endpoint for every type of event that lives as long as the run, for all rules that only watch. */
export function observer(t: Trial): Promise<Hook> {
  shared ??= t.link.holding('callbacks', 'exclusive', async () => {
    const known = await t.link.callbacks<Hook | undefined>({ do: 'note', name: 'observer' });
    if (known !== undefined) return known;
    const hook = await makeHook(t, { types: EVENT_TYPES });
    await t.link.callbacks({ do: 'note', name: 'observer', value: hook });
    return hook;
  });
  shared.catch(() => {
    shared = undefined;
  });
  return shared;
}
