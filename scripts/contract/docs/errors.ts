/** Errors and the operations that answer with them, as text in which names become links. */
import { type CatalogueError, type Contract, catalogueOf, operationsOf } from '../read.ts';
import { operationLink, type Section } from './sections.ts';

/** For each operation, by operationId, a line that names its errors; those of all operations stand in the catalogue. */
export function errorsOfOperations(contract: Contract): Map<string, string> {
  const all = operationsOf(contract);
  const isOwn = (name: string) => !all.every(({ errors }) => errors.includes(name));
  const reasons = new Map(catalogueOf(contract).map(({ name, reason }) => [name, reason]));
  return new Map(
    all.map(({ operationId, errors }) => {
      const own = errors.filter(isOwn).map((name) => `\`${reasons.get(name)}\``);
      const shared = 'what [every operation](#/error-catalogue) may answer';
      return [operationId, `*Errors:* ${[...own, shared].join(', ')}.`];
    }),
  );
}

/** A text in a form that fits into a cell of a Markdown table. */
export function cell(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** The entries of the catalogue by their status. */
const byStatus = (contract: Contract): CatalogueError[] =>
  catalogueOf(contract).sort((one, other) => one.status - other.status);

/** The catalogue of errors as a Markdown table, by status. */
export function errorsTable(contract: Contract): string {
  const rows = byStatus(contract).map(
    ({ status, reason, code, example }) => `| ${status} | \`${reason}\` | ${cell(example.summary ?? '')} | ${code} |`,
  );
  return ['| HTTP | Textual code | What is wrong | gRPC |', '|---|---|---|---|', ...rows].join('\n');
}

/** A page for each textual code, in the order of the catalogue's table: when it occurs, what to do, who answers so. */
export function errorPages(contract: Contract): Section[] {
  const pages = Map.groupBy(byStatus(contract), ({ page }) => page);
  return Array.from(pages, ([name, entries]) => ({
    name,
    heading: entries[0]?.reason ?? '',
    text: entries.map((entry) => errorText(contract, entry)).join('\n\n'),
  }));
}

function errorText(contract: Contract, { name, status, example }: CatalogueError): string {
  const { summary, description = '', value, 'x-remedy': remedy = '' } = example;
  return [
    `**HTTP ${status}: ${summary}**`,
    description.trim(),
    `**What to do.** ${remedy.trim()}`,
    `*Answered by:* ${answeredBy(contract, name)}.`,
    `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
  ].join('\n\n');
}

/** So few exceptions are said instead of all the others. */
const FEW = 3;

function answeredBy(contract: Contract, error: string): string {
  const operations = operationsOf(contract);
  const links = (isAnswering: boolean) =>
    operations
      .filter(({ errors }) => errors.includes(error) === isAnswering)
      .map((operation) => `[${operation.operationId}](${operationLink(operation)})`);
  const [answering, others] = [links(true), links(false)];
  if (answering.length === 0) return 'requests that reach no operation';
  if (others.length === 0) return 'every operation';
  if (others.length <= FEW && others.length < answering.length) return `every operation but ${others.join(' and ')}`;
  return answering.join(', ');
}
