import { events, type Finding, keysOf, routed } from './finding.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  jsonSchemaOf,
  reachableSchemas,
  resolve,
  visitSchema,
} from './read.ts';
import { ALL_TYPES, alternatives, typesOf } from './schema-shape.ts';

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
  const findings: Finding[] = [];
  for (const [name, schema] of entriesOf(asObject(contract.components).schemas)) {
    if (asObject(schema)['x-decision'] !== undefined) continue;
    visitSchema(schema, (node, pointer) => {
      if (asArray(node.enum).length < 2 || node['x-decision'] !== undefined) return;
      findings.push({
        place: ['components', 'schemas', name, ...keysOf(pointer)],
        message: `What the values of ${name} mean rests on no decision. Mark it with x-decision.`,
      });
    });
  }
  return findings;
}

/** A list without repetitions has room for every value of its enumeration. */
export function roomForAll(contract: Contract): Finding[] {
  const findings: Finding[] = [];
  for (const [name, schema] of entriesOf(asObject(contract.components).schemas)) {
    visitSchema(schema, (node, pointer) => {
      const values = asArray(resolve(contract, node.items ?? null).enum).length;
      if (node.uniqueItems !== true || typeof node.maxItems !== 'number' || node.maxItems >= values) return;
      findings.push({
        place: ['components', 'schemas', name, ...keysOf(pointer), 'maxItems'],
        message: `A list of all ${values} values is refused. Set maxItems to ${values}.`,
      });
    });
  }
  return findings;
}

/** Every property, parameter, header and component schema has a description, its own or that of what it refers to. */
export function described(contract: Contract): Finding[] {
  const findings: Finding[] = [];
  const has = (node: Json): boolean =>
    asString(asObject(node).description) !== '' || asString(resolve(contract, node).description) !== '';
  const demand = (node: Json, place: (string | number)[], what: string): void => {
    if (!has(node)) {
      findings.push({
        place,
        message: `${what} has no description. Say what it means, its unit and its limits, for somebody who has never seen the service.`,
      });
    }
  };
  const inSchema = (schema: Json, place: string[]): void => {
    visitSchema(schema, (node, pointer) => {
      for (const [name, property] of entriesOf(node.properties)) {
        demand(property, [...place, ...keysOf(pointer), 'properties', name], `The property ${name}`);
      }
    });
  };
  for (const [name, schema] of entriesOf(asObject(contract.components).schemas)) {
    const place = ['components', 'schemas', name];
    demand(schema, place, `The schema ${name}`);
    inSchema(schema, place);
  }
  for (const section of ['parameters', 'headers', 'responses', 'securitySchemes']) {
    for (const [name, component] of entriesOf(asObject(contract.components)[section])) {
      demand(component, ['components', section, name], `${section.slice(0, -1)} ${name}`);
    }
  }
  for (const { place, id, source } of [...routed(contract), ...events(contract)]) {
    if (asString(source.summary) === '' || asString(source.description) === '') {
      findings.push({ place, message: `${id} lacks a summary or a description.` });
    }
    asArray(source.parameters).forEach((parameter, index) => {
      demand(
        parameter,
        [...place, 'parameters', index],
        `The parameter ${asString(resolve(contract, parameter).name)} of ${id}`,
      );
    });
    const body = asObject(asObject(asObject(source.requestBody).content)['application/json']);
    if (body.schema !== undefined)
      inSchema(body.schema, [...place, 'requestBody', 'content', 'application/json', 'schema']);
    for (const [status, answer] of entriesOf(source.responses)) {
      const inside = [...place, 'responses', status];
      demand(answer, inside, `The answer ${status} of ${id}`);
      const media = asObject(asObject(asObject(answer).content)['application/json']);
      if (media.schema !== undefined) inSchema(media.schema, [...inside, 'content', 'application/json', 'schema']);
      for (const [name, header] of entriesOf(asObject(answer).headers))
        demand(header, [...inside, 'headers', name], `The header ${name}`);
    }
  }
  return findings;
}

/** Every object in an answer or an event is closed. Every object in a request says whether it is. */
export function closed(contract: Contract): Finding[] {
  const answers = routed(contract).map(({ source }) => asObject(source.responses)['200'] ?? {});
  const payloads = events(contract).map(({ source }) => source.requestBody ?? {});
  const requests = routed(contract).map(({ source }) => source.requestBody ?? {});
  const roots = (holders: Json[]): (JsonObject | undefined)[] =>
    holders.map((holder) => jsonSchemaOf(contract, holder));
  const out = new Set(reachableSchemas(contract, roots([...answers, ...payloads])));
  const inward = new Set(reachableSchemas(contract, roots(requests)));
  const findings: Finding[] = [];
  const look = (schema: Json, place: string[], answered: boolean): void => {
    visitSchema(schema, (node, pointer) => {
      if (node.type !== 'object' && node.properties === undefined) return;
      const extra = node.additionalProperties;
      const where = [...place, ...keysOf(pointer)];
      if (answered && extra !== false && !(isObject(extra) && node.properties === undefined)) {
        findings.push({
          place: where,
          message:
            'An object of an answer is not closed. Add additionalProperties: false, or a schema of the values where it is a map without named properties.',
        });
      }
      if (!answered && extra === undefined) {
        findings.push({
          place: where,
          message:
            'An object of a request does not say whether unknown fields are refused. Add additionalProperties: false (or true, where they are ignored).',
        });
      }
    });
  };
  for (const [name, schema] of entriesOf(asObject(contract.components).schemas)) {
    if (out.has(name) || inward.has(name)) look(schema, ['components', 'schemas', name], out.has(name));
  }
  for (const { place, source } of routed(contract)) {
    const answer = ['responses', '200', 'content', 'application/json', 'schema'];
    look(at(source, answer), [...place, ...answer], true);
    const body = ['requestBody', 'content', 'application/json', 'schema'];
    look(at(source, body), [...place, ...body], false);
  }
  return findings;
}

/**
 * In the body of a request `null` stands for an optional field that is absent (D-6a), so the schema of such a field
 * takes it; that of a required field or of an element of a list does not. Records of an ingest are open objects, in
 * which `null` means something else.
 */
export function optionalNull(contract: Contract): Finding[] {
  const bodies = routed(contract).map(({ source }) => jsonSchemaOf(contract, source.requestBody ?? {}));
  const findings: Finding[] = [];
  for (const name of reachableSchemas(contract, bodies)) {
    const holder = asObject(asObject(asObject(contract.components).schemas)[name]);
    if (holder.additionalProperties === true) continue;
    visitSchema(holder, (node, pointer) => {
      const place = ['components', 'schemas', name, ...keysOf(pointer)];
      const takesNull = (schema: Json) =>
        alternatives(contract, asObject(schema)).some((one) => typesOf(one).includes('null'));
      for (const [field, schema] of entriesOf(node.properties)) {
        const isRequired = asArray(node.required).includes(field);
        if (takesNull(schema) !== isRequired) continue;
        const remedy = isRequired ? 'is required, so it must not be null' : 'is optional, so it must take null';
        findings.push({
          place: [...place, 'properties', field],
          message: `${name}.${field} ${remedy}. Correct its type.`,
        });
      }
      const { items } = node;
      if (isObject(items) && !isAnything(contract, items) && takesNull(items)) {
        findings.push({
          place: [...place, 'items'],
          message: `An element of a list in ${name} must not be null. Correct its type.`,
        });
      }
    });
  }
  return findings;
}

/** Whether a schema takes every value, such as a record of an ingest. */
function isAnything(contract: Contract, schema: JsonObject): boolean {
  return alternatives(contract, schema).some((one) => typesOf(one).length === ALL_TYPES.length);
}

/**
 * Marks of personal data are keys of the form `object.field` and stand wherever they are needed. A marked field is
 * never required, because it can be hidden.
 */
export function personalData(contract: Contract): Finding[] {
  const answers = routed(contract).map(({ source }) => jsonSchemaOf(contract, asObject(source.responses)['200'] ?? {}));
  const answered = new Set(reachableSchemas(contract, answers));
  const findings: Finding[] = [];
  for (const [component, schema] of entriesOf(asObject(contract.components).schemas)) {
    visitSchema(schema, (node, pointer) => {
      for (const [name, property] of entriesOf(node.properties)) {
        const place = ['components', 'schemas', component, ...keysOf(pointer), 'properties', name];
        const mark = asObject(property)['x-personal-data'];
        const key = asString(mark);
        if (mark !== undefined && !PERSONAL_KEY.test(key)) {
          findings.push({
            place: [...place, 'x-personal-data'],
            message: `${String(mark)} is no key of the form object.field. Write persons.${name} or employees.${name}.`,
          });
          continue;
        }
        if (mark === undefined) {
          if (PERSONAL_NAMES.includes(name)) {
            findings.push({
              place,
              message: `${component}.${name} holds personal data but has no x-personal-data. Mark it with the key under which it is redacted.`,
            });
          }
          continue;
        }
        if (!answered.has(component)) continue;
        if (!key.endsWith(`.${name}`)) {
          findings.push({
            place: [...place, 'x-personal-data'],
            message: `${component}.${name} is marked ${key}; the field of the key must be ${name}.`,
          });
        }
        if (asArray(node.required).includes(name)) {
          findings.push({
            place,
            message: `${component}.${name} is required, but a field with personal data can be hidden. Take it from the list of required ones.`,
          });
        }
      }
    });
  }
  return findings;
}

function at(node: Json, keys: readonly string[]): Json {
  return keys.reduce<Json>((current, key) => asObject(current)[key] ?? null, node);
}
