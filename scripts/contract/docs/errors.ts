/** Errors and the operations that answer with them, as text in which names become links. */
import {
  asArray,
  asObject,
  asString,
  type Contract,
  catalogueOf,
  errorNamesOf,
  type JsonObject,
  operationsOf,
} from '../read.ts';
import { errorAnchor, operationLink } from './sections.ts';

/** For each operation, by operationId, a line that names its errors; those of all operations stand in the catalogue. */
export function errorsOfOperations(contract: Contract): Map<string, string> {
  const all = operationsOf(contract).map((operation) => ({ operation, errors: errorNamesOf(contract, operation) }));
  const isOwn = (name: string) => !all.every(({ errors }) => errors.includes(name));
  const reasons = new Map(catalogueOf(contract).map(([name, example]) => [name, reasonOf(example)]));
  return new Map(
    all.map(({ operation, errors }) => {
      const own = errors.filter(isOwn).map((name) => `\`${reasons.get(name)}\``);
      const shared = 'what [every operation](#/error-catalogue) may answer';
      return [operation.operationId, `*Errors:* ${[...own, shared].join(', ')}.`];
    }),
  );
}

/** The textual code of an entry of the catalogue. */
export function reasonOf({ value }: JsonObject): string {
  return asString(asObject(asArray(asObject(value).details)[0]).reason);
}

/** A text in a form that fits into a cell of a Markdown table. */
export function cell(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** The catalogue of errors as a Markdown table, by status, each error with the operations that answer with it. */
export function errorsTable(contract: Contract): string {
  const rows = catalogueOf(contract)
    .sort(([, a], [, b]) => Number(a['x-http-status']) - Number(b['x-http-status']))
    .map(([name, example]) => {
      const reason = reasonOf(example);
      const label = reason === name ? '' : `, example ${name}`;
      const code = `<b id="${errorAnchor(reason)}"></b>\`${reason}\` (gRPC ${String(asObject(example.value).code)}${label})`;
      const told = `${cell(asString(example.description))}<br>*Answered by:* ${answeredBy(contract, name)}.`;
      return `| ${String(example['x-http-status'])} | ${code}<br>${told} |`;
    });
  return ['| HTTP | Textual code; when it occurs, and what to do |', '|---|---|', ...rows].join('\n');
}

/** So few exceptions are said instead of all the others. */
const FEW = 3;

function answeredBy(contract: Contract, error: string): string {
  const operations = operationsOf(contract);
  const links = (isAnswering: boolean) =>
    operations
      .filter((operation) => errorNamesOf(contract, operation).includes(error) === isAnswering)
      .map(({ operationId, source }) => `[${operationId}](${operationLink(source.tags, operationId)})`);
  const [answering, others] = [links(true), links(false)];
  if (answering.length === 0) return 'requests that reach no operation';
  if (others.length === 0) return 'every operation';
  if (others.length <= FEW && others.length < answering.length) return `every operation but ${others.join(' and ')}`;
  return answering.join(', ');
}
