/** Endpoints of the target that deliver to the suite, for as long as a test needs them. */
import { type Answers, enumerations } from '../../generated/contract.ts';
import { oncePerRun } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { endpointIn } from '../http/api.ts';
import type { KeyName } from '../profile/schema.ts';
import { bytesOf, type Delivery, envelopeOf, type Reactions, type ReceiverMode } from './delivery.ts';

export { type Envelope, envelopeOf } from './delivery.ts';

export type EventType = keyof typeof enumerations.webhook_event_type;
export const EVENT_TYPES = Object.keys(enumerations.webhook_event_type) as EventType[];

/** An endpoint that delivers to a route of the receiver. */
export interface Hook {
  id: string;
  secret: string;
  route: string;
  url: string;
  shown: Answers['createWebhookEndpoint']['webhook_endpoint'];
}

interface HookOptions {
  /** Default: document.rejected, which hardly any other rule causes. */
  types?: readonly EventType[];
  reactions?: Reactions;
  key?: KeyName;
  /** The route of another hook, for two endpoints with one URL. */
  route?: string;
  /** The process that makes it; by default the one of the profile's base URL. */
  baseUrl?: string;
}

const POLL_MS = 100;
let made = 0;

/** The URL of a route at the receiver. */
export function urlOf(t: TestContext, route: string): string {
  t.uses.flags.add('callbacks');
  return `${t.run.callbacks.url}/${route}`;
}

/** A route that nothing else uses. */
export function newRoute(t: TestContext): string {
  made++;
  return `${t.rule.id}-${t.run_id}-${process.pid}-${made}`.toLowerCase();
}

/** The answer to a creation, before it is judged. */
interface Creation {
  answer: Answer;
  /** The endpoint's id if the answer shows it; else ''. */
  id: string;
  route: string;
  url: string;
}

/**
 * Requests an endpoint. If the answer shows one, the run knows its secret, even if the rest of the answer is wrong.
 */
export async function askForHook(t: TestContext, options: HookOptions): Promise<Creation> {
  const { types = ['document.rejected'], key = 'full', route = newRoute(t), baseUrl = t.profile.base_url } = options;
  if (options.reactions) react(t, { route }, options.reactions);
  const url = urlOf(t, route);
  await t.mayWrite();
  const answer = await t.as(key, { baseUrl }).post('/webhook_endpoints', { url, event_types: [...types] });
  const id = endpointIn(answer.exchange);
  if (id !== '') {
    const said = answer.json as { secret?: unknown };
    const secret = typeof said.secret === 'string' ? said.secret : '';
    t.run.madeEndpoints.push({ route, secret });
  }
  return { answer, id, route, url };
}

/** The endpoint in the answer to a creation, which must be a success. */
export function hookOf({ answer, route, url }: Creation): Hook {
  const { webhook_endpoint: shown, secret } = answer.ok('createWebhookEndpoint');
  return { id: shown.id, secret, route, url, shown };
}

/** Creates an endpoint. It is deleted by the caller, or else at the end of the run. */
export async function makeHook(t: TestContext, options: HookOptions = {}): Promise<Hook> {
  await t.mustReceive?.();
  return hookOf(await askForHook(t, options));
}

/** Deletes an endpoint. @param key with which it was created */
export async function deleteHook(t: TestContext, { id }: Pick<Hook, 'id'>, key: KeyName = 'full'): Promise<Answer> {
  await t.mayWrite();
  return t.as(key).send({ method: 'DELETE', path: `/webhook_endpoints/${id}` });
}

/** Runs `work` with these hooks, and deletes them in any case. */
export async function withHooks(
  t: TestContext,
  all: readonly HookOptions[],
  work: (...hooks: Hook[]) => Promise<void>,
) {
  const hooks: [Hook, KeyName][] = [];
  try {
    for (const options of all) hooks.push([await makeHook(t, options), options.key ?? 'full']);
    await work(...hooks.map(([hook]) => hook));
  } finally {
    // A failure must show the exchange that failed, not the clean-up.
    const { last } = t;
    for (const [hook, key] of hooks) await deleteHook(t, hook, key).catch(() => {});
    t.last = last;
  }
}

/** Calls `_test` for a hook. */
export async function testHook(t: TestContext, { id }: Pick<Hook, 'id'>, key: KeyName = 'full'): Promise<Answer> {
  await t.mayWrite();
  return t.as(key).post(`/webhook_endpoints/${id}/_test`, {}, { timeoutMs: 20_000 });
}

/** Says how the receiver answers at an endpoint. @param containing only to bodies that hold this text */
export const react = (
  t: TestContext,
  { route }: Pick<Hook, 'route'>,
  reactions: Reactions,
  containing?: string,
): void => t.run.receiver.react(route, reactions, containing);

/** Says how the receiver treats connections. */
export const setReceiverMode = (t: TestContext, state: ReceiverMode): Promise<void> => t.run.receiver.setMode(state);

/** The deliveries so far, in order of arrival. @param containing only bodies that hold this text, such as an id */
export async function received(
  t: TestContext,
  hook: Pick<Hook, 'route'> | undefined,
  containing?: string,
): Promise<Delivery[]> {
  t.uses.flags.add('callbacks');
  return t.run.receiver.deliveries.filter(
    (one) =>
      (hook === undefined || one.route === hook.route) &&
      (containing === undefined || bytesOf(one).includes(containing)),
  );
}

/** The time that a receiver has. */
const ANSWERED_WITHIN_MS = 10_000;
/** What the way of an answer may take; some are given after nine seconds on purpose. */
const ON_THE_WAY_MS = 500;

/** Whether an answer left so late, because this process stood still, that it need not have come in time. */
export const leftLate = ({ answered_after_ms: afterMs = 0 }: Delivery): boolean =>
  afterMs > ANSWERED_WITHIN_MS - ON_THE_WAY_MS;

/** What to wait for at an endpoint. */
interface WantedDeliveries {
  /** Only bodies that hold this text. */
  containing: string;
  /** Only events of this type. */
  type?: string;
  /** The least number of deliveries to wait for; 1 by default. */
  count?: number;
  /** Counts each event once, however often it was delivered. */
  distinct?: true;
  /** How long to wait; by default the time that a first attempt may take. */
  withinMs?: number;
}

/** Whether a delivery is of this type; any is of an undefined one. */
export const ofType =
  (type: string | undefined) =>
  (delivery: Delivery): boolean =>
    type === undefined || envelopeOf(delivery).type === type;

/** The first delivery of each event. */
export const firstOfEach = (deliveries: readonly Delivery[]): Delivery[] =>
  [...Map.groupBy(deliveries, (one) => envelopeOf(one).id).values()].flatMap((same) => same.slice(0, 1));

/** Waits for this many deliveries. @returns those that have arrived by the end of the time, even if too few */
export async function waitFor(
  t: TestContext,
  hook: Pick<Hook, 'route'>,
  wanted: WantedDeliveries,
): Promise<Delivery[]> {
  const { containing, type, count = 1, distinct, withinMs = t.values.webhook_first_attempt_s * 1000 } = wanted;
  const look = async () => {
    const all = (await received(t, hook, containing)).filter(ofType(type));
    return distinct ? firstOfEach(all) : all;
  };
  // A test is delivered by the request for it, and says nothing of events.
  const shows = (found: readonly Delivery[]) => found.some((one) => envelopeOf(one).type !== 'webhook_endpoint.test');
  const isEnough = (found: readonly Delivery[]) => found.length >= count;
  return t.seenOnceDone('event is delivered', withinMs, look, isEnough, { pauseMs: POLL_MS, shows });
}

/** The deliveries, which must arrive in time. */
export async function arrived(
  t: TestContext,
  hook: Pick<Hook, 'route'>,
  wanted: WantedDeliveries,
): Promise<[Delivery, ...Delivery[]]> {
  const found = await waitFor(t, hook, wanted);
  const { type = 'delivery', count = 1 } = wanted;
  t.check(found.length >= count, `${found.length} of ${count} ${type} came in time`);
  return found as [Delivery, ...Delivery[]];
}

/** An endpoint for every type of event that lives as long as the run. It serves all rules that only observe. */
export const observer = oncePerRun((t): Promise<Hook> => makeHook(t, { types: EVENT_TYPES }));
