/** Errors and the operations that answer with them, as text in which names become links. */
import { errorPage } from '../generate/errors.ts';
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
import { operationLink, type Section } from './sections.ts';

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

/** The entries of the catalogue by their status. */
function byStatus(contract: Contract): [name: string, example: JsonObject][] {
  return catalogueOf(contract).sort(([, a], [, b]) => Number(a['x-http-status']) - Number(b['x-http-status']));
}

/** The catalogue of errors as a Markdown table, by status. */
export function errorsTable(contract: Contract): string {
  const rows = byStatus(contract).map(([, example]) => {
    const { code } = asObject(example.value);
    const about = `\`${reasonOf(example)}\` | ${cell(asString(example.summary))}`;
    return `| ${String(example['x-http-status'])} | ${about} | ${String(code)} |`;
  });
  return ['| HTTP | Textual code | What is wrong | gRPC |', '|---|---|---|---|', ...rows].join('\n');
}

/** A page for each textual code, in the order of the catalogue's table: when it occurs, what to do, who answers so. */
export function errorPages(contract: Contract): Section[] {
  const pages = Object.groupBy(byStatus(contract), ([, example]) => reasonOf(example));
  return Object.entries(pages).map(([reason, entries = []]) => ({
    name: errorPage(reason),
    heading: reason,
    text: entries.map(([name, example]) => errorText(contract, name, example)).join('\n\n'),
  }));
}

function errorText(contract: Contract, name: string, example: JsonObject): string {
  return [
    `**HTTP ${String(example['x-http-status'])}: ${asString(example.summary)}**`,
    asString(example.description).trim(),
    `**What to do.** ${asString(example['x-remedy']).trim()}`,
    `*Answered by:* ${answeredBy(contract, name)}.`,
    `\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\``,
  ].join('\n\n');
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
