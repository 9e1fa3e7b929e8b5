import { compilerOf } from './examples.ts';
import type { Finding } from './finding.ts';
import {
  type Contract,
  type ContractOperation,
  eventsOf,
  isObject,
  operationsOf,
  propertiesOf,
  reachableSchemas,
  resolve,
  type Schema,
  schemasOf,
} from './read.ts';

const PERSONAL_KEY = /^(?:persons|employees)\.[a-z][a-z_]*$/;
const PERSONAL_NAMES = [
  'first_name',
  'last_name',
  'middle_name',
  'full_name',
  'birth_date',
  'iin',
  'personal_email',
  'work_email',
  'phone',
];

/**
 * The contract explains what the values of an enumeration mean. This meaning must rest on a decision, marked on the
 * enumeration or on the schema around it, so that a reader sees where the explanation comes from. An enumeration of one
 * value needs none.
 */
export function explainedValues(contract: Contract): Finding[] {
  const { schemas } = contract.components;
  const isMarked = (node: Schema | undefined) => node?.['x-decision'] !== undefined;
  return schemasOf(contract)
    .filter(({ node: { enum: values = [] } }) => values.length > 1)
    .filter(({ component, node }) => !isMarked(node) && !isMarked(schemas[component]))
    .map(({ component, place }) => ({
      place,
      message: `What the values of ${component} mean rests on no decision. Mark it with x-decision.`,
    }));
}

/** A list without repetitions has room for every value of its enumeration. */
export function roomForAll(contract: Contract): Finding[] {
  return schemasOf(contract).flatMap(({ node, place }) => {
    const { enum: { length: values } = [] } = resolve(contract, node.items ?? {});
    if (node.uniqueItems !== true || typeof node.maxItems !== 'number' || node.maxItems >= values) return [];
    const message = `A list of all ${values} values is refused. Set maxItems to ${values}.`;
    return [{ place: [...place, 'maxItems'], message }];
  });
}

/** The component schemas that the bodies or the answers of operations use. */
const usedBy = (contract: Contract, operations: readonly ContractOperation[], part: 'body' | 'answer') =>
  reachableSchemas(
    contract,
    operations.map((operation) => operation[part]),
  );

/** Every object in an answer or an event is closed. Every object in a request says whether it is. */
export function closed(contract: Contract): Finding[] {
  const operations = operationsOf(contract);
  const out = [...usedBy(contract, operations, 'answer'), ...usedBy(contract, eventsOf(contract), 'body')];
  const inward = usedBy(contract, operations, 'body');
  return schemasOf(contract).flatMap(({ component, node, place }) => {
    if (node.type !== 'object' && node.properties === undefined) return [];
    const extra = node.additionalProperties;
    if (out.includes(component)) {
      const isClosed = extra === false || (isObject(extra) && node.properties === undefined);
      const remedy =
        'additionalProperties: false, or a schema of the values where it is a map without named properties';
      return isClosed ? [] : [{ place, message: `An object of an answer is not closed. Add ${remedy}.` }];
    }
    if (!inward.includes(component) || extra !== undefined) return [];
    const message = 'An object of a request does not say whether unknown fields are refused. Add additionalProperties.';
    return [{ place, message }];
  });
}

/**
 * In the body of a request `null` stands for an optional field that is absent (D-6a), so the schema of such a field
 * takes it; that of a required field or of an element of a list does not. Records of an ingest are open objects, in
 * which `null` means something else.
 */
export function optionalNull(contract: Contract): Finding[] {
  const compile = compilerOf(contract);
  const inward = usedBy(contract, operationsOf(contract), 'body');
  const isJudged = ({ component }: { component: string }) =>
    inward.includes(component) && contract.components.schemas[component]?.additionalProperties !== true;
  const fields = propertiesOf(contract)
    .filter(isJudged)
    .flatMap(({ component, node, name, property, place }): Finding[] => {
      const isRequired = node.required?.includes(name) === true;
      if (compile(property)(null) !== isRequired) return [];
      const remedy = isRequired ? 'is required, so it must not be null' : 'is optional, so it must take null';
      return [{ place, message: `${component}.${name} ${remedy}. Correct its type.` }];
    });
  const items = schemasOf(contract)
    .filter(isJudged)
    .flatMap(({ component, node, place }): Finding[] => {
      const takes = node.items ? compile(node.items) : () => false;
      // A record of an ingest may be anything.
      if (!takes(null) || [true, 0, '', [], {}].every((value) => takes(value))) return [];
      const message = `An element of a list in ${component} must not be null. Correct its type.`;
      return [{ place: [...place, 'items'], message }];
    });
  return [...fields, ...items];
}

/**
 * Marks of personal data are keys of the form `object.field` and stand wherever they are needed. A marked field is
 * never required, because it can be hidden.
 */
export function personalData(contract: Contract): Finding[] {
  const outward = usedBy(contract, operationsOf(contract), 'answer');
  return propertiesOf(contract).flatMap(({ component, node, name, property, place }): Finding[] => {
    const { 'x-personal-data': key } = property;
    const field = `${component}.${name}`;
    const report = (message: string): Finding => ({ place, message });
    if (key === undefined) {
      const message = `${field} holds personal data but has no x-personal-data. Mark it with the key under which it is redacted.`;
      return PERSONAL_NAMES.includes(name) ? [report(message)] : [];
    }
    const isAnswered = outward.includes(component);
    if (!PERSONAL_KEY.test(key) || (isAnswered && !key.endsWith(`.${name}`))) {
      return [report(`${field} is marked ${key}. The key must be persons.${name} or employees.${name}.`)];
    }
    if (!isAnswered || !node.required?.includes(name)) return [];
    const message = `${field} is required, but a field with personal data can be hidden. Take it from the list of required ones.`;
    return [report(message)];
  });
}
