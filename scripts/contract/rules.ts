import { decisionIds, placesOfDecisions } from './places.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  componentName,
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  jsonSchemaOf,
  reachableSchemas,
  resolve,
  visitSchema,
} from './read.ts';

/** What is wrong, where, and what to do; the place is the path of keys from the root of the document. */
export interface Finding {
  place: readonly (string | number)[];
  message: string;
}

/** A house rule looks at the whole document and reports every place that breaks it. */
export type Rule = (contract: Contract) => Finding[];

interface Found {
  place: string[];
  id: string;
  path: string;
  source: JsonObject;
}

const VERBS = [
  'verify',
  'list',
  'get',
  'create',
  'set',
  'send',
  'approve',
  'sign',
  'reject',
  'download',
  'reserve',
  'confirm',
  'ingest',
  'test',
  'delete',
  'update',
];
const OPERATION_ID = new RegExp(`^(?:${VERBS.join('|')})[A-Z][A-Za-z0-9]*$`);
const RELEASES = ['1.0.0', '1.3.0', '1.4.0', '1.5.0', '1.6.0'];
const RELEASE = /^\d+\.\d+\.\d+$/;
const STATUSES = ['400', '401', '403', '429', '431', '500', '503'];
const BODY_STATUSES = ['413', '415'];
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
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

function routed(contract: Contract): Found[] {
  return entriesOf(contract.paths).flatMap(([path, item]) => methodsOf(['paths', path], path, item));
}

function events(contract: Contract): Found[] {
  return entriesOf(contract.webhooks).flatMap(([name, item]) => methodsOf(['webhooks', name], name, item));
}

function methodsOf(place: string[], path: string, item: Json): Found[] {
  return entriesOf(item)
    .filter(([method, source]) => METHODS.includes(method) && isObject(source))
    .map(([method, source]) => ({
      place: [...place, method],
      id: asString(asObject(source).operationId),
      path,
      source: asObject(source),
    }));
}

/** operationId = verb + noun in camelCase: it names files, exports, types, tests and log fields. */
export function operationId(contract: Contract): Finding[] {
  const wrong = routed(contract).filter(({ id }) => !OPERATION_ID.test(id));
  const wrongEvents = events(contract).filter(({ id }) => !/^on[A-Z][A-Za-z0-9]*$/.test(id));
  return [
    ...wrong.map(({ place, id }) => ({
      place: [...place, 'operationId'],
      message: `The operationId "${id}" is not a verb and a noun in camelCase. Begin with one of: ${VERBS.join(', ')}; or add the verb to VERBS in scripts/contract/rules.ts.`,
    })),
    ...wrongEvents.map(({ place, id }) => ({
      place: [...place, 'operationId'],
      message: `The operationId "${id}" of an event is not "on" and the event in camelCase, as onEmployeeChanged is.`,
    })),
  ];
}

/** Every operation says which scope it needs, or that it needs none. */
export function scope(contract: Contract): Finding[] {
  return routed(contract)
    .filter(({ source }) => {
      const security = asArray(source.security);
      const scopes = asObject(security[0]).ApiKey;
      return security.length !== 1 || !Array.isArray(scopes) || scopes.length > 1;
    })
    .map(({ place, id }) => ({
      place,
      message: `${id} does not declare its scope. Write security: [{ApiKey: ['employees:read']}], or [{ApiKey: []}] where a key without scopes will do.`,
    }));
}

/** Every operation and event says in which release it came, and has exactly one tag that exists. */
export function sinceAndTag(contract: Contract): Finding[] {
  const tags = asArray(contract.tags).map((tag) => asString(asObject(tag).name));
  const findings: Finding[] = [];
  for (const { place, id, source } of [...routed(contract), ...events(contract)]) {
    const since = asString(source['x-since']);
    if (!RELEASE.test(since)) {
      findings.push({
        place,
        message: `${id} does not say since which release it exists. Add x-since with one of ${RELEASES.join(', ')} or the next release.`,
      });
    }
    const own = asArray(source.tags).map(asString);
    if (own.length !== 1) {
      findings.push({
        place,
        message: `${id} has ${own.length} tags. Give it exactly one; it decides the folder of the handler.`,
      });
    } else if (!tags.includes(own[0] ?? '')) {
      findings.push({
        place: [...place, 'tags'],
        message: `${id} has the tag "${own[0]}", which the root list of tags lacks. Add it there.`,
      });
    }
  }
  return findings;
}

/** Error examples come from the catalogue, stand at its status, and no entry of the catalogue is left unused. */
export function errorCatalogue(contract: Contract): Finding[] {
  const catalogue = asObject(asObject(contract.components).examples);
  const used = new Set<string>();
  const findings: Finding[] = [];
  const look = (status: string, answer: Json, place: string[]): void => {
    const name = componentName(answer, 'responses');
    const where = name === undefined ? place : ['components', 'responses', name];
    const media = asObject(asObject(resolve(contract, answer).content)['application/json']);
    if (entriesOf(media.examples).length === 0) {
      findings.push({
        place: where,
        message: `The answer ${status} has no named example. Name every error that it can be: examples: {NAME: {$ref: '#/components/examples/NAME'}}.`,
      });
    }
    for (const [key, example] of entriesOf(media.examples)) {
      const inside = [...where, 'content', 'application/json', 'examples', key];
      const target = componentName(example, 'examples');
      const entry = target === undefined ? undefined : catalogue[target];
      if (target === undefined || !isObject(entry)) {
        findings.push({
          place: inside,
          message: `The error ${key} is not taken from the catalogue. Add it to components.examples and refer to it.`,
        });
        continue;
      }
      used.add(target);
      if (target !== key) {
        findings.push({
          place: inside,
          message: `The example is called ${key} but refers to ${target}. Use the name of the catalogue.`,
        });
      }
      if (String(entry['x-http-status']) !== status) {
        findings.push({
          place: inside,
          message: `${target} belongs to the status ${String(entry['x-http-status'])} (x-http-status), not to ${status}. Move it, or correct the catalogue.`,
        });
      }
    }
  };
  for (const { place, source } of routed(contract)) {
    for (const [status, answer] of entriesOf(source.responses)) {
      if (!status.startsWith('2')) look(status, answer, [...place, 'responses', status]);
    }
  }
  for (const [status, answer] of entriesOf(contract['x-unrouted-responses'])) {
    look(status, answer, ['x-unrouted-responses', status]);
  }
  for (const [name, entry] of entriesOf(catalogue)) {
    const place = ['components', 'examples', name];
    if (asObject(entry)['x-http-status'] === undefined) continue;
    if (!used.has(name)) {
      findings.push({
        place,
        message: `No operation answers with ${name}. Name it where it occurs, list its answer under x-unrouted-responses, or remove it.`,
      });
    }
    const details = asObject(asArray(asObject(asObject(entry).value).details)[0]);
    if (asString(details.reason) === '' || !asString(details['@type']).endsWith('google.rpc.ErrorInfo')) {
      findings.push({
        place: [...place, 'value'],
        message: `${name} has no ErrorInfo with a reason as the first of its details. Put it there.`,
      });
    }
    if (asString(asObject(entry).summary) === '' || asString(asObject(entry).description) === '') {
      findings.push({ place, message: `${name} lacks a summary or a description. Say when it occurs and what to do.` });
    }
  }
  return findings;
}

/** Every marked decision exists, and every decision is used or says that it is about the service as a whole. */
export function decisions(contract: Contract): Finding[] {
  const known = asObject(contract['x-decisions']);
  const used = placesOfDecisions(contract);
  const findings: Finding[] = [];
  for (const [id, places] of used) {
    if (isObject(known[id])) continue;
    for (const { pointer } of places) {
      findings.push({
        place: [...keysOf(pointer), 'x-decision'],
        message: `The decision ${id} does not exist. Add it to x-decisions, or correct the mark.`,
      });
    }
  }
  for (const [id, decision] of entriesOf(known)) {
    const place = ['x-decisions', id];
    const { title, text, about } = asObject(decision);
    if (asString(title) === '' || asString(text) === '') {
      findings.push({
        place,
        message: `The decision ${id} lacks a title or a text. The reader has no other place to look.`,
      });
    }
    if (!used.has(id) && about !== 'service') {
      findings.push({
        place,
        message: `No place rests on the decision ${id}. Mark the places with x-decision: ${id}, or write about: service where it concerns no place.`,
      });
    }
    for (const mark of decisionIds(asObject(decision)['x-decision'])) {
      findings.push({
        place,
        message: `The decision ${id} is marked with ${mark}. Decisions refer to each other in their text.`,
      });
    }
  }
  return findings;
}

function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Every property, parameter, header and component schema is described, by itself or by what it refers to. */
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

/** Every object of an answer and of an event is closed; every object of a request says whether it is. */
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

function at(node: Json, keys: readonly string[]): Json {
  return keys.reduce<Json>((current, key) => asObject(current)[key] ?? null, node);
}

/** Every operation lists the errors that any request may meet. */
export function statuses(contract: Contract): Finding[] {
  const findings: Finding[] = [];
  for (const { place, id, source } of routed(contract)) {
    const listed = Object.keys(asObject(source.responses));
    const demanded = source.requestBody === undefined ? STATUSES : [...STATUSES, ...BODY_STATUSES];
    const missing = ['200', ...demanded].filter((status) => !listed.includes(status));
    if (missing.length > 0) {
      findings.push({
        place: [...place, 'responses'],
        message: `${id} does not list ${missing.join(', ')}. Refer to the response component of each.`,
      });
    }
    if (listed.includes('default')) {
      findings.push({
        place: [...place, 'responses', 'default'],
        message: `${id} has a default answer, which hides what it can answer. List each status.`,
      });
    }
  }
  return findings;
}

/** Marks of personal data are keys `object.field`, stand where they must, and never on a field that is required: it can be hidden. */
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

/** No component is left that nothing refers to. */
export function usedComponents(contract: Contract): Finding[] {
  const refs = new Set<string>();
  const walk = (node: Json): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (isObject(node)) {
      for (const [key, value] of entriesOf(node)) {
        if (key === '$ref' && typeof value === 'string') refs.add(value);
        else walk(value);
      }
    }
  };
  walk(contract);
  const findings: Finding[] = [];
  for (const [section, components] of entriesOf(contract.components)) {
    // Errors are judged by the rule on the catalogue, schemes are named and not referred to.
    if (section === 'securitySchemes' || section === 'examples') continue;
    for (const name of Object.keys(asObject(components))) {
      if (!refs.has(`#/components/${section}/${name}`)) {
        findings.push({
          place: ['components', section, name],
          message: `Nothing refers to ${name}. Use it or remove it.`,
        });
      }
    }
  }
  return findings;
}
