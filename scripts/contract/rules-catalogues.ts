import type { Finding } from './finding.ts';
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
  operationsOf,
  resolve,
  valuesIn,
} from './read.ts';

/**
 * Error examples come from the catalogue and are used at their own status, and every entry of the catalogue is used.
 */
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
  for (const { path, method, source } of operationsOf(contract)) {
    for (const [status, answer] of entriesOf(source.responses)) {
      if (!status.startsWith('2')) look(status, answer, ['paths', path, method, 'responses', status]);
    }
  }
  for (const [status, answer] of entriesOf(contract['x-unrouted-responses'])) {
    look(status, answer, ['x-unrouted-responses', status]);
  }
  for (const [name, entry] of entriesOf(catalogue)) {
    if (asObject(entry)['x-http-status'] !== undefined) findings.push(...entryFindings(name, asObject(entry), used));
  }
  return findings;
}

/** What is wrong with an entry of the catalogue itself. @param used the names that operations refer to */
function entryFindings(name: string, entry: JsonObject, used: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  const place = ['components', 'examples', name];
  if (!used.has(name)) {
    findings.push({
      place,
      message: `No operation answers with ${name}. Name it where it occurs, list its answer under x-unrouted-responses, or remove it.`,
    });
  }
  const details = asObject(asArray(asObject(entry.value).details)[0]);
  if (asString(details.reason) === '' || !asString(details['@type']).endsWith('google.rpc.ErrorInfo')) {
    findings.push({
      place: [...place, 'value'],
      message: `${name} has no ErrorInfo with a reason as the first of its details. Put it there.`,
    });
  }
  if (asString(entry.summary) === '' || asString(entry.description) === '') {
    findings.push({ place, message: `${name} lacks a summary or a description. Say when it occurs and what to do.` });
  }
  return findings;
}

/** The head of the table in which a decision lists all errors, for reading. */
const ERROR_TABLE = /^\| Name \| Textual code \| gRPC code \| HTTP \|/;

/** A decision that lists the errors lists those of the catalogue, each with its codes. */
export function errorTable(contract: Contract): Finding[] {
  const wanted = entriesOf(asObject(contract.components).examples)
    .map(([name, entry]) => ({ name, entry: asObject(entry) }))
    .filter(({ entry }) => entry['x-http-status'] !== undefined)
    .map(({ name, entry }) => {
      const value = asObject(entry.value);
      const { reason } = asObject(asArray(value.details)[0]);
      return [name, asString(reason), String(value.code), String(entry['x-http-status'])].join(' | ');
    });
  return entriesOf(contract['x-decisions']).flatMap(([id, decision]) => {
    const lines = asString(asObject(decision).text).split('\n');
    const head = lines.findIndex((line) => ERROR_TABLE.test(line));
    if (head < 0) return [];
    const after = lines.slice(head + 2);
    const end = after.findIndex((line) => !line.startsWith('|'));
    const listed = after.slice(0, end < 0 ? after.length : end).map((line) => cellsOf(line).slice(0, 4).join(' | '));
    const place = ['x-decisions', id, 'text'];
    return [
      ...wanted
        .filter((row) => !listed.includes(row))
        .map((row) => ({ place, message: `The table of errors lacks the row "${row}" of the catalogue. Add it.` })),
      ...listed
        .filter((row) => !wanted.includes(row))
        .map((row) => ({ place, message: `The row "${row}" is not in the catalogue. Correct it, or remove it.` })),
    ];
  });
}

/** The cells of a row of a Markdown table. */
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());

/**
 * Every decision that a mark names exists, and every decision is used or says that it is about the service as a whole.
 */
export function decisions(contract: Contract): Finding[] {
  const known = asObject(contract['x-decisions']);
  const used = placesOfDecisions(contract);
  const findings: Finding[] = [];
  for (const [id, places] of used) {
    if (isObject(known[id])) continue;
    for (const { keys } of places) {
      findings.push({
        place: [...keys, 'x-decision'],
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

const SENTENCE = /^\S.*[.]$/;

/**
 * Every decision says how it relates to the source: it fills a gap, or it departs from the source. A departure says in
 * one sentence each what the source says and what the contract does instead.
 */
export function decisionKinds(contract: Contract): Finding[] {
  return entriesOf(contract['x-decisions']).flatMap(([id, decision]): Finding[] => {
    const { kind, departures } = asObject(decision);
    const list = asArray(departures);
    if ((kind === 'fills') === list.length > 0) {
      return [
        {
          place: ['x-decisions', id],
          message: `The decision ${id} does not say what it does to the source. Write kind: fills where it fills a gap, else departures with what the source says.`,
        },
      ];
    }
    return list.flatMap((entry, at): Finding[] => {
      const { kind: way, source, instead } = asObject(entry);
      const isWhole =
        (way === 'beyond' || way === 'against') && SENTENCE.test(asString(source)) && SENTENCE.test(asString(instead));
      if (isWhole) return [];
      return [
        {
          place: ['x-decisions', id, 'departures', String(at)],
          message: `A departure of ${id} is not whole. It has a kind (beyond, against), and one sentence each for source and instead.`,
        },
      ];
    });
  });
}

/** Every component is referred to. */
export function usedComponents(contract: Contract): Finding[] {
  const refs = new Set([...valuesIn(contract)].map(([node]) => asObject(node).$ref));
  // Another rule checks the errors (the one on the catalogue). Security schemes are used by name, not by reference.
  const { securitySchemes, examples, ...sections } = asObject(contract.components);
  return entriesOf(sections).flatMap(([section, components]) =>
    Object.keys(asObject(components))
      .filter((name) => !refs.has(`#/components/${section}/${name}`))
      .map((name) => ({
        place: ['components', section, name],
        message: `Nothing refers to ${name}. Use it or remove it.`,
      })),
  );
}
