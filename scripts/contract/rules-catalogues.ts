import type { Finding } from './finding.ts';
import { decisionIds, placesOfDecisions } from './places.ts';
import {
  asArray,
  asObject,
  type Contract,
  catalogueOf,
  componentName,
  entriesOf,
  jsonOf,
  type KeyPath,
  type Message,
  operationsOf,
  resolve,
  valuesIn,
} from './read.ts';

/** The answers with errors, each with its place, or the place of the component to which it refers. */
function errorAnswers(contract: Contract): { status: string; answer: Message; place: KeyPath }[] {
  const holders = operationsOf(contract).map(
    ({ path, method, source }) => [source.responses, ['paths', path, method, 'responses']] as const,
  );
  return [...holders, [contract['x-unrouted-responses'], ['x-unrouted-responses']] as const].flatMap(
    ([answers, place]) =>
      entriesOf(answers)
        .filter(([status]) => !status.startsWith('2'))
        .map(([status, answer]) => {
          const name = componentName(answer, 'responses');
          return { status, answer, place: name === undefined ? [...place, status] : ['components', 'responses', name] };
        }),
  );
}

/**
 * Error examples come from the catalogue and are used at their own status, and every entry of the catalogue is used.
 */
export function errorCatalogue(contract: Contract): Finding[] {
  const catalogue = contract.components.examples;
  const used = new Set<string>();
  const findings: Finding[] = [];
  const report = (place: KeyPath, message: string) => findings.push({ place, message });
  for (const { status, answer, place } of errorAnswers(contract)) {
    const examples = entriesOf(jsonOf(resolve(contract, answer))?.examples);
    if (examples.length === 0) {
      const remedy = "Name every error that it can be: examples: {NAME: {$ref: '#/components/examples/NAME'}}";
      report(place, `The answer ${status} has no named example. ${remedy}.`);
    }
    for (const [key, example] of examples) {
      const inside = [...place, 'content', 'application/json', 'examples', key];
      const target = componentName(example, 'examples') ?? '';
      const entry = catalogue[target];
      const own = String(entry?.['x-http-status']);
      used.add(target);
      if (entry === undefined) {
        report(inside, `${key} is not taken from the catalogue. Add it to components.examples and refer to it.`);
      } else if (target !== key) {
        report(inside, `The example is called ${key} but refers to ${target}. Use the name of the catalogue.`);
      } else if (own !== status) {
        report(inside, `${key} belongs to the status ${own} (x-http-status), not to ${status}. Correct one of them.`);
      }
    }
  }
  for (const { name, reason, example } of catalogueOf(contract)) {
    const place = ['components', 'examples', name];
    if (!used.has(name)) {
      const remedy = 'Name it where it occurs, list its answer under x-unrouted-responses, or remove it';
      report(place, `No operation answers with ${name}. ${remedy}.`);
    }
    const [detail] = asArray(asObject(example.value).details);
    if (reason === '' || !String(asObject(detail)['@type']).endsWith('google.rpc.ErrorInfo')) {
      report([...place, 'value'], `${name} has no ErrorInfo with a reason as the first of its details. Put it there.`);
    }
    if (!(example.summary && example.description && example['x-remedy'])) {
      report(place, `${name} lacks a summary, a description or x-remedy. Say when it occurs and what to do.`);
    }
  }
  return findings;
}

/** The head of the table in which a decision lists all errors, for reading. */
const ERROR_TABLE = /^\| Name \| Textual code \| gRPC code \| HTTP \|/;

/** A decision that lists the errors lists those of the catalogue, each with its codes. */
export function errorTable(contract: Contract): Finding[] {
  const wanted = catalogueOf(contract).map(({ name, reason, code, status }) =>
    [name, reason, code, status].join(' | '),
  );
  return entriesOf(contract['x-decisions']).flatMap(([id, { text = '' }]) => {
    const lines = text.split('\n');
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
  const { 'x-decisions': known = {} } = contract;
  const used = placesOfDecisions(contract);
  const findings: Finding[] = [];
  const report = (place: KeyPath, message: string) => findings.push({ place, message });
  for (const [id, places] of used) {
    for (const { keys } of known[id] ? [] : places) {
      const remedy = 'Add it to x-decisions, or correct the mark';
      report([...keys, 'x-decision'], `The decision ${id} does not exist. ${remedy}.`);
    }
  }
  for (const [id, decision] of entriesOf(known)) {
    const place = ['x-decisions', id];
    const { title, text, about } = decision;
    if (!(title && text)) {
      report(place, `The decision ${id} lacks a title or a text. The reader has no other place to look.`);
    }
    if (!used.has(id) && about !== 'service') {
      const remedy = `Mark the places with x-decision: ${id}, or write about: service where it concerns no place`;
      report(place, `No place rests on the decision ${id}. ${remedy}.`);
    }
    for (const mark of decisionIds(decision['x-decision'])) {
      report(place, `The decision ${id} is marked with ${mark}. Decisions refer to each other in their text.`);
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
  return entriesOf(contract['x-decisions']).flatMap(([id, { kind, departures = [] }]): Finding[] => {
    if ((kind === 'fills') === departures.length > 0) {
      const remedy = 'Write kind: fills where it fills a gap, else departures with what the source says';
      const message = `The decision ${id} does not say what it does to the source. ${remedy}.`;
      return [{ place: ['x-decisions', id], message }];
    }
    return departures.flatMap(({ kind: way, source, instead }, at): Finding[] => {
      if (['beyond', 'against'].includes(way) && [source, instead].every((text) => SENTENCE.test(text))) return [];
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
  const { securitySchemes, examples, ...sections } = contract.components;
  return entriesOf(sections).flatMap(([section, components]) =>
    Object.keys(asObject(components))
      .filter((name) => !refs.has(`#/components/${section}/${name}`))
      .map((name) => ({
        place: ['components', section, name],
        message: `Nothing refers to ${name}. Use it or remove it.`,
      })),
  );
}
