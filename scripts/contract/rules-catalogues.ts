import type { Finding } from './finding.ts';
import { placesOfDecisions } from './places.ts';
import {
  type Contract,
  catalogueOf,
  componentName,
  entriesOf,
  jsonOf,
  type KeyPath,
  type Message,
  operationsOf,
  resolve,
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

/** Error examples come from the catalogue, are used at their own status, and begin with an ErrorInfo. */
export function errorCatalogue(contract: Contract): Finding[] {
  const findings: Finding[] = [];
  const report = (place: KeyPath, message: string) => findings.push({ place, message });
  for (const { status, answer, place } of errorAnswers(contract)) {
    for (const [key, example] of entriesOf(jsonOf(resolve(contract, answer))?.examples)) {
      const inside = [...place, 'content', 'application/json', 'examples', key];
      const target = componentName(example, 'examples') ?? '';
      const entry = contract.components.examples[target];
      const own = String(entry?.['x-http-status']);
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
    if (reason === '' || !example.value.details[0]?.['@type']?.endsWith('google.rpc.ErrorInfo')) {
      const message = `${name} has no ErrorInfo with a reason as the first of its details. Put it there.`;
      report(['components', 'examples', name, 'value'], message);
    }
  }
  return findings;
}

/** The table in which a decision lists all errors, for reading: its head, a line, and the rows. */
const ERROR_TABLE = /^\| Name \| Textual code \| gRPC code \| HTTP \|.*\n.*\n((?:\|.*\n?)*)/m;

/** A decision that lists the errors lists those of the catalogue, each with its codes. */
export function errorTable(contract: Contract): Finding[] {
  const wanted = catalogueOf(contract).map(({ name, reason, code, status }) =>
    [name, reason, code, status].join(' | '),
  );
  return entriesOf(contract['x-decisions']).flatMap(([id, { text = '' }]) => {
    const [, rows] = ERROR_TABLE.exec(text) ?? [];
    if (rows === undefined) return [];
    const listed = [...rows.matchAll(/^\| *(.*? \| .*? \| .*? \| .*?) *\|/gm)].map(([, cells = '']) => cells);
    const place = ['x-decisions', id, 'text'];
    const lacking = wanted.filter((row) => !listed.includes(row));
    const unknown = listed.filter((row) => !wanted.includes(row));
    return [
      ...lacking.map((row) => ({
        place,
        message: `The table of errors lacks the row "${row}" of the catalogue. Add it.`,
      })),
      ...unknown.map((row) => ({
        place,
        message: `The row "${row}" is not in the catalogue. Correct it, or remove it.`,
      })),
    ];
  });
}

/**
 * Every decision that a mark names exists, and every decision is used or says that it is about the service as a whole.
 */
export function decisions(contract: Contract): Finding[] {
  const { 'x-decisions': known = {} } = contract;
  const used = placesOfDecisions(contract);
  const unknown = [...used].flatMap(([id, places]) =>
    places.flatMap(({ keys }) => {
      const message = `The decision ${id} does not exist. Add it to x-decisions, or correct the mark.`;
      return known[id] ? [] : [{ place: [...keys, 'x-decision'], message }];
    }),
  );
  const unused = entriesOf(known).flatMap(([id, { about }]) => {
    const remedy = `Mark the places with x-decision: ${id}, or write about: service where it concerns no place`;
    const message = `No place rests on the decision ${id}. ${remedy}.`;
    return used.has(id) || about === 'service' ? [] : [{ place: ['x-decisions', id], message }];
  });
  return [...unknown, ...unused];
}
