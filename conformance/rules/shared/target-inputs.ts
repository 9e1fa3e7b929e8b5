/** Inputs of the contract as a target takes them: its spelling, what it declares, and bodies that are right in meaning. */
import { enumerations, type Operation, type OperationId } from '../../../generated/contract.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Call } from '../../http/api.ts';
import { wordOf } from '../../profile/spelling.ts';
import type { Values } from '../../profile/values.ts';
import { callOf } from './calls.ts';
import { type BodyField, fieldsBelow, type InputSchema, inputsOf, type OperationInputs } from './contract-inputs.ts';
import { templateBody } from './document-calls.ts';
import { rightBody, rightValue, withValue } from './input-values.ts';

/** Values of one enumeration as the target spells them. */
function spelled(t: TestContext, values: readonly string[]): string[] {
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = enumerations;
  const theirs = t.spelling as unknown as typeof words;
  const found = Object.keys(theirs).find((name) =>
    values.every((value) => Object.values(words[name] ?? {}).includes(value)),
  );
  if (found === undefined) return [...values];
  return values.map((value) => theirs[found]?.[wordOf(words[found] ?? {}, value)] ?? value);
}

const shortened = (most: number, schema: InputSchema): InputSchema => ({ ...schema, maximum: most });
/** A URL of an endpoint whose address is public and needs no look-up. */
const PUBLIC_URL = 'https://93.184.216.34/';

/** What a target declares for fields and parameters that the source leaves open. */
const DECLARED: Readonly<Record<string, (schema: InputSchema, values: Values) => InputSchema>> = {
  'reserveFile size_bytes': (schema, values) => shortened(values.upload_max_bytes, schema),
  'ingestRecords records': (schema, { ingest_records: [minItems, maxItems] }) => ({ ...schema, minItems, maxItems }),
  'listDocuments search': (schema, { document_search_length: [minLength, maxLength] }) => ({
    ...schema,
    minLength,
    maxLength,
  }),
  'rejectDocument comment': (schema, values) => {
    const { pattern: _pattern, ...rest } = schema;
    return values.blank_comment === 'accepted' ? { ...rest, refused: [] } : schema;
  },
  'createDocument template_id': (schema, values) => withoutNothing(schema, values),
  'createDocument file_id': (schema, values) => withoutNothing(schema, values),
  'createWebhookEndpoint url': (schema) => ({ ...schema, example: PUBLIC_URL }),
};

const withoutNothing = (schema: InputSchema, { null_and_empty_sources }: Values): InputSchema =>
  null_and_empty_sources === 'absent' ? schema : { ...schema, isNullable: false, takesEmpty: false };

/** A schema as the target takes it. @param name the operation and the field or parameter */
function asTaken(t: TestContext, name: string, schema: InputSchema): InputSchema {
  const own = DECLARED[name]?.(schema, t.values) ?? schema;
  return {
    ...own,
    values: own.values && spelled(t, own.values),
    items: own.items && asTaken(t, `${name}[]`, own.items),
    fields: own.fields.map((field) => ({
      ...field,
      required: isRequired(t, `${name}.${field.name}`, field.required),
      schema: asTaken(t, `${name}${name.includes(' ') ? '.' : ' '}${field.name}`, field.schema),
    })),
  };
}

/** Fields of a creation that a target may demand or not. */
const isRequired = (t: TestContext, name: string, required: boolean): boolean => {
  const field = (['title', 'type_id'] as const).find((one) => name === `createDocument.${one}`);
  return field === undefined ? required : t.values.document_required_fields.includes(field);
};

/** What an operation takes, as the target takes it. */
export function takenInputs(t: TestContext, operationId: OperationId): OperationInputs {
  const inputs = inputsOf(operationId);
  const body = inputs.body && asTaken(t, operationId, inputs.body);
  const parameters = inputs.parameters.map((one) => ({
    ...one,
    schema: asTaken(t, `${operationId} ${one.name}`, one.schema),
  }));
  return { ...inputs, body, fields: body ? fieldsBelow(body) : [], parameters };
}

/** The call of an operation with a body; nothing that it addresses exists. */
export const postOf = (t: TestContext, operation: Operation, body: object): Call => {
  const headers = { 'Idempotency-Key': `${t.rule.id}-${t.run_id}` };
  return { ...callOf(operation), headers, body };
};

/** Bodies whose meaning is right, for operations where the form alone is not enough. */
const MEANT: Readonly<Partial<Record<OperationId, (t: TestContext, to?: BodyField) => Promise<object> | object>>> = {
  // Beside a template, a file of any form is a second source.
  createDocument: (t, to) =>
    templateBody(t, to?.path === 'file_id' ? { template_id: undefined, template_values: undefined } : {}),
  setDocumentRoute: (t) => {
    const participants = [{ employee_id: t.fixture('owner_employee_id') }];
    const step = { step_type: t.spelling.step_type.SIGNING, participants };
    return { steps: [step, structuredClone(step)] };
  },
};

/** A body that is right for the target; undefined if the operation takes none. @param to a field that it must have */
export async function meantBody(
  t: TestContext,
  inputs: OperationInputs,
  to?: BodyField,
): Promise<Record<string, unknown> | undefined> {
  const { body, fields, operation } = inputs;
  if (body === undefined) return undefined;
  const form = rightBody(body, fields, to);
  const meant = MEANT[operation.operationId];
  if (meant === undefined) return form;
  const own = JSON.parse(JSON.stringify(await meant(t, to))) as Record<string, unknown>;
  if (to === undefined || to.path in own) return own;
  return to.required || to.path.includes('[') ? own : withValue(own, to.path, rightValue(to.schema));
}
