/**
 * Whether deliveries of this target reach the suite at all, tested once in a run. It distinguishes a target that breaks
 * the contract from one whose deliveries do not reach the suite.
 */
import { type OperationId, operations } from '../../generated/contract.ts';
import { oncePerRun } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import { Uses } from '../engine/uses.ts';
import type { Answer } from '../http/answer.ts';
import { answerFlaws, isOneOf, textsOf } from '../judge/contract.ts';
import { askForHook, deleteHook, hookOf, received, testHook } from './hooks.ts';

/** A status that no other receiver answers by chance. */
const UNUSUAL = 218;

/** What is read of the answers. Whatever else is wrong in them keeps nothing from being received. */
const NEEDED = /^(\/secret|\/webhook_endpoint|\/webhook_endpoint\/id|\/status_code)?$/;

/** The finding; `broken` names the operation whose answer breaks the contract. */
type Reachability =
  | { is: 'open' }
  | { is: 'closed'; reason: string }
  | { is: 'broken'; at: OperationId; reason: string };

/** A broken answer is not kept: it may be correct for the next rule. */
const reachability = oncePerRun(findReachability, ({ is }) => is !== 'broken');

/**
 * If an operation that this test needs is broken, rules about that operation continue: they find and report the same
 * fault.
 * @throws Untested if no delivery of the target arrives
 */
export async function mustBeReachable(t: TestContext): Promise<void> {
  const { url, problem } = t.run.callbacks;
  if (url === '') t.untested('missing_callbacks', problem);
  // What the test uses is no need of the rule, which says by itself if it needs deliveries.
  const found = await t.usingFor(new Uses(), () => reachability(t));
  if (found.is === 'closed') t.untested('missing_callbacks', found.reason);
  if (found.is === 'broken' && !t.rule.place.split(/\W+/).includes(found.at))
    t.untested('not_exercised', `without ${found.at} nothing can be received: ${found.reason}`);
}

/** Creates an endpoint, has the target test it, and deletes it. */
export async function findReachability(t: TestContext): Promise<Reachability> {
  const creation = await askForHook(t, { reactions: [{ answer: UNUSUAL }] }).catch(silence);
  if ('silent' in creation) return { is: 'broken', at: 'createWebhookEndpoint', reason: creation.silent };
  const { answer } = creation;
  const unfit = complaint('createWebhookEndpoint', answer);
  if (unfit !== '') {
    if (creation.id !== '') await deleteHook(t, creation).catch(silence);
    return { is: 'broken', at: 'createWebhookEndpoint', reason: unfit };
  }
  // The target may not deliver to the suite's address, or the tenant may have no room for another endpoint.
  if (answer.status !== 200) return { is: 'closed', reason: `no endpoint can be made: ${answer.text.slice(0, 300)}` };
  const hook = hookOf(creation);
  const test = await testHook(t, hook).catch(silence);
  await deleteHook(t, hook).catch(silence);
  if ((await received(t, hook)).length > 0) return { is: 'open' };
  const odd = 'silent' in test ? test.silent : complaint('testWebhookEndpoint', test) || untrue(test);
  if (odd !== '') return { is: 'broken', at: 'testWebhookEndpoint', reason: odd };
  const said = 'silent' in test ? '' : test.text.slice(0, 200);
  const reason = `a test event does not arrive at ${t.run.callbacks.url}; _test answered ${said}`;
  return { is: 'closed', reason };
}

/**
 * What is wrong with an answer, whether or not deliveries arrive: it is neither the success nor an error of the
 * contract.
 */
function complaint(operationId: OperationId, { exchange, json, brief, status, context }: Answer): string {
  if (status === 200) {
    const flaws = answerFlaws(operationId, json, context.values);
    const wrong = textsOf(flaws.filter(({ is, at }) => is !== 'added' && NEEDED.test(at)));
    return wrong.length === 0 ? '' : `${operationId}: the answer breaks the contract: ${wrong.join('; ')}`;
  }
  const known = status < 500 && isOneOf(exchange, operations[operationId].errors, context.values);
  return known ? '' : `${operationId} was answered ${brief}`;
}

/**
 * A new endpoint must be testable. And if nothing reached the receiver, the answer must not state a status that only
 * the receiver could have given.
 */
function untrue({ status, json, brief }: Answer): string {
  if (status !== 200) return `_test of a new endpoint was answered ${brief}`;
  const code = (json as { status_code?: unknown } | undefined)?.status_code;
  return code === UNUSUAL ? `_test says ${UNUSUAL}, and nothing arrived` : '';
}

/** If there is no answer at all, that too is the target's fault; other errors are not. */
function silence(error: unknown): { silent: string } {
  if (error instanceof Error && error.name === 'NoAnswer') return { silent: error.message };
  throw error;
}
