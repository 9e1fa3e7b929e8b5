import { readFileSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve as resolvePath } from 'node:path';
import { replaceFile } from '../../../conformance/report/replace-file.ts';
import { thread } from '../../../conformance/report/thread.ts';
import { commandLine, EXIT, exitingWith, runProgram } from '../../kit/command-line.ts';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { type Place, placesOfDecisions } from '../places.ts';
import {
  type Contract,
  ContractError,
  type ContractOperation,
  catalogueOf,
  type Decision,
  entriesOf,
  eventsOf,
  mapped,
  operationsOf,
  readContract,
  referencesIn,
  revised,
} from '../read.ts';
import { ROOT, redocly } from '../redocly.ts';
import { violationsOf } from './check.ts';
import { cell, errorPages, errorsOfOperations, errorsTable } from './errors.ts';
import { guidePages } from './guide.ts';
import { CHANGE_KINDS, releasesPage } from './releases.ts';
import { samplesOf, serverOf } from './samples.ts';
import { decisionLink, inSections, type MorePages, operationLink, type Section } from './sections.ts';
import { DOCS_PATH, markOfSources } from './sources.ts';

const NO_SCRIPT =
  '<noscript><p>These docs need JavaScript. The contract itself needs none: <a href="/openapi.yaml">/openapi.yaml</a>.</p></noscript>';

const ERRORS_MARK = '<!-- errors -->';
const SOURCE_MARK = '<!-- source -->';
const DECISIONS_MARK = '<!-- decisions -->';
const LOGOS = /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g;
/** Replaces the logo that Redoc would fetch: Redoc's name as a picture. */
const LOGO =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2240%22 height=%2212%22%3E%3Ctext fill=%22%23808080%22 y=%2210%22 font-size=%2211%22 font-family=%22sans-serif%22%3ERedoc%3C/text%3E%3C/svg%3E';

/**
 * Renders the contract as one HTML file that needs no network.
 * @throws ContractError when the contract cannot be read, lacks a mark for a table, or is refused by Redocly.
 */
export async function buildDocs(contractPath: string, outPath: string): Promise<void> {
  // Made before the sources are read: a change meanwhile leaves the page stale, not wrong for good.
  const mark = await markOfSources(contractPath);
  const contract = await readContract(contractPath);
  const folder = temporaryFolder('docs-');
  try {
    const source = join(folder, 'openapi.json');
    const target = join(folder, 'index.html');
    await writeFile(source, JSON.stringify(inSections(withTables(contract), morePages(contract))));
    const { title } = contract.info;
    const { code, output, log } = await redocly([
      'build-docs',
      relative(ROOT, source),
      '--output',
      target,
      '--inlineBundle',
      '--title',
      title,
    ]);
    if (code !== 0) throw new ContractError(`Redocly could not render ${contractPath}:\n${output}${log}`);
    const html = (await readFile(target, 'utf8'))
      .replaceAll(LOGOS, LOGO)
      .replace('<head>', () => `<head>${mark}`)
      .replace('</head>', () => `<style>${part('style.css')}${reported('lists.css')}</style>${scripts()}</head>`)
      .replace('<div id="redoc">', (root) => `<header class="unseen"><h1>${title}</h1></header>${NO_SCRIPT}${root}`)
      .replace('hydrate(__redoc_definition,', (call) => hereScript(serverOf(contract)) + FOR_SCRIPTS + call);
    // A server never reads a half-written file.
    replaceFile(outPath, html);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The pages that are not prose of the contract. */
export function morePages(contract: Contract): MorePages {
  return {
    guide: guidePages(serverOf(contract)),
    errors: errorPages(contract),
    decisions: decisionPages(contract),
    releases: releasesPage(contract),
  };
}

/** A file of the page. */
const part = (name: string): string => readFileSync(join(import.meta.dirname, 'page', name), 'utf8');
/** A file of the suite’s reports. */
const reported = (name: string): string => readFileSync(join(ROOT, 'conformance/report', name), 'utf8');

/** Each script by itself, so that a fault of one does not stop the other. */
function scripts(): string {
  const releases = `const KINDS = ${JSON.stringify(CHANGE_KINDS)};\n${part('releases.js')}`;
  return [part('access.js'), reported('filter.js'), releases].map((script) => `<script>${script}</script>`).join('');
}

/** Redoc keeps what it draws to itself. */
const FOR_SCRIPTS = 'globalThis.docsDefinition = __redoc_definition;\n';

/** Served by a deployment, the page and its samples name that deployment, so that a copied sample reaches it. */
function hereScript(server: string): string {
  return `if (/^http/.test(location.protocol)) {
  const here = location.origin + location.pathname.replace(/\\/docs$/, '');
  __redoc_definition.servers = [{ url: here, description: 'The deployment that serves this page.' }];
  const files = { YAML: '/openapi.yaml', JSON: '/openapi.json', 'Postman, Bruno': '/collection.json' };
  __redoc_options.downloadUrls = Object.entries(files).map(([title, path]) => ({ title, url: here + path }));
  for (const tag of __redoc_definition.tags) tag.description = tag.description.replaceAll(${JSON.stringify(server)}, here);
  for (const item of Object.values(__redoc_definition.paths))
    for (const { 'x-codeSamples': samples = [] } of Object.values(item))
      for (const sample of samples) sample.source = sample.source.replaceAll(${JSON.stringify(server)}, here);
  // It was rendered with the server of the contract.
  document.getElementById('redoc').replaceChildren();
}
`;
}

/**
 * A copy of the contract whose description holds the tables of errors, of what the source demands, and of decisions.
 * @throws ContractError if a mark is missing
 */
export function withTables(contract: Contract): Contract {
  let { description } = contract.info;
  for (const [mark, text] of [
    [ERRORS_MARK, errorsTable(contract)],
    [SOURCE_MARK, thread('')],
    [DECISIONS_MARK, decisionsTable(contract['x-decisions'])],
  ] as const) {
    if (!description.includes(mark)) {
      throw new ContractError(`info.description has no ${mark}. Put it where the table belongs.`);
    }
    description = description.replace(mark, () => text);
  }
  const version = `v1, release ${release()}`;
  return readable({
    ...contract,
    info: { ...contract.info, version, description },
    paths: withSamples(contract),
  });
}

/** The contract is v1 for good; its releases have the version of the package. */
const release = (): string => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

/** The paths with the samples of each operation, as Redoc shows them, and with its errors in words that become links. */
function withSamples(contract: Contract): Contract['paths'] {
  const samples = samplesOf(contract);
  const errors = errorsOfOperations(contract);
  return mapped(contract.paths, (item) =>
    mapped(item, ({ description = '', ...operation }) => ({
      ...operation,
      description: `${description.trim()}\n\n${errors.get(operation.operationId)}`,
      'x-codeSamples': samples.get(operation.operationId)?.map((each) => ({ ...each })),
    })),
  );
}

/** Redoc shows extensions as JSON; lists of decisions, and what patterns demand, are easier to read as text. */
const readable = (contract: Contract): Contract =>
  revised(contract, (key, value) => {
    if (!Array.isArray(value)) return value;
    if (key === 'x-decision') return value.join(', ');
    return key === 'x-pattern-words' ? value.map((entry) => Object(entry).demands).join('; ') : value;
  });

/** What a departure is called in lists, and what a decision without departures does. */
const KINDS = {
  beyond: '<mark class="beyond">goes beyond</mark>',
  against: '<mark class="against">goes against</mark>',
} as const;
const FILLS = '<mark class="gap">fills a gap</mark>';

/** How a decision relates to the source, in a few words. */
function kindsOf({ departures = [] }: Decision): string {
  const kinds = new Set(departures.map(({ kind }) => KINDS[kind]));
  return kinds.size === 0 ? FILLS : [...kinds].join(', ');
}

const linkTo = (id: string): string => `[${id}](${decisionLink(id)})`;

/** The decisions as a Markdown table. */
export function decisionsTable(decisions: Contract['x-decisions']): string {
  const rows = entriesOf(decisions).map(
    ([id, decision]) => `| ${linkTo(id)} | ${cell(decision.title)} | ${kindsOf(decision)} |`,
  );
  return ['| Id | Decides | The source |', '|---|---|---|', ...rows].join('\n');
}

/** A page for each decision: its text, its departures, and links to the places that rest on it. */
export function decisionPages(contract: Contract): Section[] {
  const places = placesOfDecisions(contract);
  const users = usersOfComponents(contract);
  return entriesOf(contract['x-decisions']).map(([id, decision]) => {
    const where = linksOf(contract, users, places.get(id) ?? []).join(' · ') || 'The service as a whole.';
    return {
      name: id.toLowerCase(),
      heading: `${id}. ${decision.title}`,
      text: `\n${decision.text.trim()}\n\n${againstSource(decision)}*Where it applies:* ${where}\n\n`,
    };
  });
}

/** The departures of one decision as a list under its text. */
function againstSource({ departures = [] }: Decision): string {
  const lines = departures.map(
    ({ kind, source, instead }) => `- ${KINDS[kind]} The source: ${cell(source)} Here: ${cell(instead)}`,
  );
  return lines.length === 0 ? '' : `*Departs from the source:*\n\n${lines.join('\n')}\n\n`;
}

/** An operation or event: its label and address for links, and the references to all components that it uses. */
interface User {
  label: string;
  href: string;
  refs: Set<string>;
}

const SHOWN_USERS = 3;

function linksOf(contract: Contract, users: readonly User[], places: readonly Place[]): string[] {
  return places.map((place) => {
    const [section, ...keys] = place.keys;
    if (section !== 'components') {
      const user = users.find(({ label }) => place.name === label || place.name.startsWith(`${label}.`));
      return user === undefined ? place.name : `[${place.name}](${user.href})`;
    }
    const ref = `#/components/${keys.slice(0, 2).join('/')}`;
    const using = users.filter(({ refs }) => refs.has(ref));
    const first = using.slice(0, SHOWN_USERS).map(({ label, href }) => `[${label}](${href})`);
    const more = using.length > SHOWN_USERS ? `, and ${using.length - SHOWN_USERS} more` : '';
    const name = `\`${shownName(contract, place)}\``;
    return first.length === 0 ? name : `${name} (${first.join(', ')}${more})`;
  });
}

/** Errors are shown by their textual code if that differs from their name. */
const shownName = (contract: Contract, { name, keys }: Place): string =>
  catalogueOf(contract).find((error) => keys[1] === 'examples' && keys[2] === error.name)?.reason ?? name;

function usersOfComponents(contract: Contract): User[] {
  const users = (operations: readonly ContractOperation[], labelOf: (operation: ContractOperation) => string) =>
    operations.map((operation) => ({
      label: labelOf(operation),
      href: operationLink(operation),
      refs: referencesIn(contract, operation.source),
    }));
  return [
    ...users(operationsOf(contract), ({ operationId }) => operationId),
    ...users(eventsOf(contract), ({ path }) => `event ${path}`),
  ];
}

/** Prints what axe-core finds. @returns the exit code */
async function checkDocs(page: string): Promise<number> {
  const violations = await violationsOf(page, console.error);
  for (const { view, id, help, places } of violations) {
    console.log(`${view}: ${help} (${id}), ${places.length} times, such as\n  ${places[0]}`);
  }
  console.log(violations.length === 0 ? 'axe-core finds no violation.' : `${violations.length} rules are violated.`);
  return violations.length === 0 ? EXIT.ok : EXIT.refused;
}

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Renders the contract as one HTML file that needs no network.';
  const program = commandLine('npm run docs --', about)
    .argument('[file]', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--out <file>', 'where the page is written', DOCS_PATH)
    .option('--check', 'judge the page by axe-core, which is fetched, in Chromium: narrow and wide, light and dark')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 the contract cannot be rendered or the page violates a rule, 2 wrong usage or no Chromium.',
    )
    .action(
      exitingWith(async (file: string, { out, check = false }: { out: string; check?: boolean }) => {
        await buildDocs(resolvePath(file), resolvePath(out));
        const { size } = await stat(out);
        console.log(
          `${out} (${(size / 1_000_000).toFixed(1)} MB). Open it in a browser, or see /docs of a running server.`,
        );
        return check ? checkDocs(resolvePath(out)) : EXIT.ok;
      }),
    );
  return runProgram(program, argv);
}
