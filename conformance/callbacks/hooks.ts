/** Endpoints of the target that deliver to the suite, for as long as a test needs them. */
import { enumerations } from '../../generated/enumerations.ts';
import type { Answers } from '../../generated/handlers.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { KeyName } from '../profile/schema.ts';
import { bytesOf, type Delivery, type MadeEndpoint, type Reactions, type ReceiverMode } from './delivery.ts';

export type EventType = keyof typeof enumerations.webhook_event_type;
export const EVENT_TYPES = Object.keys(enumerations.webhook_event_type) as EventType[];

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

export interface HookOptions {
  /** Default: document.rejected, which hardly any other rule causes. */
  types?: readonly EventType[];
  reactions?: Reactions;
  key?: KeyName;
  /** The route of another hook, for two endpoints with one URL. */
  route?: string;
}

const POLL_MS = 100;
let made = 0;

/** The URL of a route at the receiver. */
export const urlOf = (t: TestContext, route: string): string => `${t.run.callbacks.url}/${route}`;

/** A route that nothing else uses. */
export function newRoute(t: TestContext): string {
  made++;
  return `${t.rule.id}-${t.run.run_id}-${process.pid}-${made}`.toLowerCase();
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
export async function askForHook(t: TestContext, options: HookOptions = {}): Promise<Creation> {
  const { types = ['document.rejected'], key = 'full', route = newRoute(t) } = options;
  if (options.reactions) await react(t, { route }, options.reactions);
  const url = urlOf(t, route);
  await t.mayWrite();
  const answer = await t.as(key).post('/webhook_endpoints', { url, event_types: [...types] });
  const said = answer.json as { webhook_endpoint?: { id?: unknown }; secret?: unknown } | undefined;
  const idSaid = said?.webhook_endpoint?.id;
  const id = answer.status === 200 && typeof idSaid === 'string' ? idSaid : '';
  if (id !== '') {
    const secret = typeof said?.secret === 'string' ? said.secret : '';
    const endpoint: MadeEndpoint = { id, key: t.keyNames(key)[0] ?? '', route, secret, event_types: [...types] };
    await t.link.callbacks({ do: 'made', endpoint });
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
  return hookOf(await askForHook(t, options));
}

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

export const react = (t: TestContext, { route }: Pick<Hook, 'route'>, reactions: Reactions, containing?: string) =>
  t.link.callbacks({ do: 'react', route, reactions, ...(containing === undefined ? {} : { containing }) });

export const setReceiverMode = (t: TestContext, state: ReceiverMode): Promise<void> =>
  t.link.callbacks({ do: 'mode', mode: state });

/** The deliveries so far, in order of arrival. @param containing only bodies that hold this text, such as an id */
export function received(
  t: TestContext,
  hook: Pick<Hook, 'route'> | undefined,
  containing?: string,
): Promise<Delivery[]> {
  return t.link.callbacks<Delivery[]>({
    do: 'received',
    ...(hook ? { route: hook.route } : {}),
    ...(containing === undefined ? {} : { containing }),
  });
}

/** The envelope of a delivery; {} if it is not a JSON object. */
export function envelopeOf(delivery: Delivery): Envelope {
  try {
    const value: unknown = JSON.parse(bytesOf(delivery).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Envelope;
  } catch {}
  return {} as Envelope;
}

export interface WantedHook {
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

export const ofType =
  (type: string | undefined) =>
  (delivery: Delivery): boolean =>
    type === undefined || envelopeOf(delivery).type === type;

/** The first delivery of each event. */
function firstOfEach(deliveries: readonly Delivery[]): Delivery[] {
  return [...new Map(deliveries.toReversed().map((one) => [envelopeOf(one).id, one])).values()].toReversed();
}

/** Waits for this many deliveries. @returns those that have arrived by the end of the time, even if too few */
export async function waitFor(t: TestContext, hook: Pick<Hook, 'route'>, wanted: WantedHook): Promise<Delivery[]> {
  const { containing, type, count = 1, distinct, withinMs = t.values.webhook_first_attempt_s * 1000 } = wanted;
  const end = performance.now() + withinMs;
  for (;;) {
    const asked = performance.now();
    const all = (await received(t, hook, containing)).filter(ofType(type));
    const found = distinct ? firstOfEach(all) : all;
    if (found.length >= count || asked > end) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The deliveries, which must arrive in time. */
export async function arrived(
  t: TestContext,
  hook: Pick<Hook, 'route'>,
  wanted: WantedHook,
): Promise<[Delivery, ...Delivery[]]> {
  const found = await waitFor(t, hook, wanted);
  const { type = 'delivery', count = 1 } = wanted;
  t.check(found.length >= count, `${found.length} of ${count} ${type} came in time`);
  return found as [Delivery, ...Delivery[]];
}

let shared: Promise<Hook> | undefined;

/** An endpoint for every type of event that lives as long as the run. It serves all rules that only observe. */
export function observer(t: TestContext): Promise<Hook> {
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
