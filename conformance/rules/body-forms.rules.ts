/** The form of bodies and of each of their fields, as the contract declares it. */

import type { OperationId } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import { type Answer, isWithin } from '../http/answer.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { type BodyField, contractInputs } from './shared/contract-inputs.ts';
import { firstPlace, NO_SUCH_FIELD, rightValues, withValue, wrongValues } from './shared/input-values.ts';
import { meantBody, postOf, takenInputs } from './shared/target-inputs.ts';

/** Fields that name the source of a document: one of them must be there, and a version must exist. */
const SOURCES = ['createDocument template_id', 'createDocument file_id', 'createDocument template_version'];

/** Ids that belong to nothing may be refused for what they mean. */
const isOnlyForm = (value: unknown): boolean => {
  const text = JSON.stringify(value) ?? '';
  return !text.includes(UNKNOWN_ID.slice(0, 23)) && text !== '{}';
};

/** Texts that no field may hold (D-6a). */
const BROKEN_TEXTS = ['a\u0000b', '\ud800b', 'a\udc00'];

interface FieldCase {
  /** Sends a body that is right but for the value of the field; undefined leaves it out. */
  send(value: unknown, more?: object): Promise<Answer>;
  /** The place that is to blame. */
  at: string;
  field: BodyField;
  /** What is refused however the field is: a field that does not exist, and ids of nothing. */
  always: readonly string[];
}

/** A wrong value is blamed at its place; whatever else is named is within the field, or wrong in any case. */
async function mustRefuse(
  { send, at, always }: FieldCase,
  what: string,
  value: unknown,
  within: string,
): Promise<void> {
  const answer = (await send(value)).fails('INVALID_ARGUMENT', what);
  const named = answer.violatedFields();
  const isRight =
    named.some((name) => isWithin(name, `${at}${within}`)) &&
    named.every((name) => isWithin(name, at) || always.includes(name));
  answer.context.check(isRight, `${what}: the violations should name ${at}${within}, and name ${named.join()}`, answer);
}

/** A right value is not blamed beside a field that does not exist, so that nothing comes to be. */
async function mustTake(
  { send, at }: FieldCase,
  what: string,
  value: unknown,
  wanted: readonly string[],
): Promise<void> {
  const answer = (await send(value, { [NO_SUCH_FIELD]: 1 })).fails('INVALID_ARGUMENT', what);
  const { context } = answer;
  context.equal(answer.violatedFields().toSorted(), wanted, `what is refused with ${at}: ${what}`, answer);
}

async function judgeField(t: TestContext, operationId: OperationId, path: string): Promise<void> {
  const inputs = takenInputs(t, operationId);
  const field = t.present(
    inputs.fields.find((one) => one.path === path),
    'the field is gone',
  );
  const body = await meantBody(t, inputs, field);
  const full = t.asAny('full');
  const send = (value: unknown, more: object = {}) =>
    full.send(postOf(t, inputs.operation, { ...withValue(body, path, value), ...more }));
  const absent = (await send(undefined, { [NO_SUCH_FIELD]: 1 })).fails('INVALID_ARGUMENT', 'an unknown field');
  const without = absent.violatedFields().toSorted();
  const at = firstPlace(path);
  const one: FieldCase = { send, at, field, always: without.filter((name) => !isWithin(name, at)) };
  const isSource = SOURCES.includes(`${operationId} ${path}`);
  if (!isSource) t.equal(without.includes(at), field.required, `whether ${at} is missed`, absent);
  for (const { what, value, within } of wrongValues(field.schema)) await mustRefuse(one, what, value, within);
  const isText = field.schema.types.join() === 'string' && !field.schema.values && !field.schema.format;
  for (const text of isText ? BROKEN_TEXTS : []) {
    (await send(text)).fails('INVALID_ARGUMENT', `a text with ${JSON.stringify(text)}`);
  }
  const taken = without.filter((name) => name !== at);
  for (const { what, value } of rightValues(field.schema)) {
    const isNothing = value === null || (value === '' && field.schema.takesEmpty);
    if (isNothing) await mustTake(one, what, value, without);
    else if (isOnlyForm(value) && !isSource) await mustTake(one, what, value, taken);
  }
}

for (const { operation, fields } of contractInputs) {
  const { operationId } = operation;
  for (const { path } of fields) {
    rule({
      id: `ERR-${operationId}.${path.replaceAll('[]', '')}`,
      family: 'form of a field',
      text: `${operationId} takes in ${path} what the contract declares; anything else is INVALID_ARGUMENT naming the field.`,
      place: `${operationId}: ${path}`,
      decisions: ['D-6a'],
      check: (t) => judgeField(t, operationId, path),
    });
  }
}
