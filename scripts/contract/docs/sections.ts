/** The prose of the contract as pages that the menu shows and the search finds, with links between them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorPage } from '../generate/errors.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  entriesOf,
  eventsOf,
  isObject,
  type Json,
  type JsonObject,
  operationsOf,
} from '../read.ts';

/** Where the page of a decision is. */
export const decisionLink = (id: string): string => `#/${id.toLowerCase()}`;

/** Where the page of an error is. @param reason its textual code */
export const errorLink = (reason: string): string => `#/${errorPage(reason)}`;

/** Where an operation or an event is. @param tags those of its contract, of which the first counts */
export const operationLink = (tags: Json | undefined, operationId: string): string =>
  `#/${asString(asArray(tags)[0])}/${operationId.toLowerCase()}`;

/** A page of prose. */
export interface Section {
  /** Its address is `#/` and this. */
  readonly name: string;
  readonly heading: string;
  readonly text: string;
}

const DECISION = /^<h3 id="decision-(d-\w+)">(.*)<\/h3>\n/gm;

/** Pages beside those of the introduction and the decisions. */
export interface MorePages {
  readonly guide: readonly Section[];
  readonly errors: readonly Section[];
  readonly releases: Section;
}

/**
 * A copy in which each section of the introduction, and each decision, is a page: a tag without operations. Decisions,
 * errors and operations that a text names are links.
 */
export function inSections(contract: Contract, { guide, errors, releases }: MorePages): Contract {
  const info = asObject(contract.info);
  const [opening = '', ...parts] = asString(info.description).split(/^## /m);
  const sections = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { name: heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), heading, text: lines.join('\n') };
  });
  const last = sections.at(-1);
  const [overview = '', ...decisions] = (last?.text ?? '').split(DECISION);
  const pages: Section[] = [];
  for (let i = 0; i + 2 < decisions.length; i += 3) {
    pages.push({ name: decisions[i] ?? '', heading: decisions[i + 1] ?? '', text: decisions[i + 2] ?? '' });
  }
  const about =
    last === undefined ? [] : [...sections.slice(0, -1), verification(), { ...last, text: overview }, releases];
  // Beside what it is about, where the contract has that.
  const events = about.findIndex(({ name }) => name === 'events');
  if (events >= 0) about.splice(events + 1, 0, ...about.splice(-3, 1));
  const tagOf = ({ name, heading, text }: Section) => ({
    name,
    'x-displayName': heading,
    'x-traitTag': true,
    description: text,
  });
  const namesOf = (group: readonly Section[]) => group.map(({ name }) => name);
  return asObject(
    linked(
      {
        ...contract,
        info: { ...info, description: opening },
        tags: [...[...guide, ...about].map(tagOf), ...asArray(contract.tags), ...[...errors, ...pages].map(tagOf)],
        'x-tagGroups': [
          { name: 'Guide', tags: namesOf(guide) },
          { name: 'About', tags: namesOf(about) },
          ...asArray(contract['x-tagGroups']),
          { name: 'Errors', tags: namesOf(errors) },
          { name: 'Decisions', tags: namesOf(pages) },
        ],
      },
      targetsOf(contract),
    ),
  );
}

const LANGUAGES = { JavaScript: 'mjs', Python: 'py', Go: 'go', PHP: 'php', Java: 'java', Ruby: 'rb' } as const;

/** The check of a delivery in several languages, from the files that a test runs. */
function verification(): Section {
  const blocks = Object.entries(LANGUAGES).map(([language, ending]) => {
    const source = readFileSync(join(import.meta.dirname, 'verify', `verify.${ending}`), 'utf8');
    return `### ${language}\n\n\`\`\`${language.toLowerCase()}\n${source}\`\`\``;
  });
  const about =
    'Check each delivery before you read it, with the bytes of the body as they arrived. The secret is the whole text that ' +
    'createWebhookEndpoint answered, `whsec_` included. Answer with 400 if the check fails.';
  return { name: 'verify-deliveries', heading: 'Verify webhook signatures', text: [about, ...blocks].join('\n\n') };
}

/** What texts name, each with its link. */
function targetsOf(contract: Contract): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const [, example] of entriesOf(asObject(contract.components).examples)) {
    const { value } = asObject(example);
    const reason = asString(asObject(asArray(asObject(value).details)[0]).reason);
    if (reason !== '') targets.set(reason, errorLink(reason));
  }
  for (const { operationId, source } of [...operationsOf(contract), ...eventsOf(contract)]) {
    const id = asString(operationId ?? source.operationId);
    targets.set(id, operationLink(source.tags, id));
  }
  for (const [id] of entriesOf(contract['x-decisions'])) targets.set(id, decisionLink(id));
  return targets;
}

/** Links, blocks of code and code stay as they are, but for code that is nothing but a name. */
const NAMED = /```[\s\S]*?```|\[[^\]]*\]\([^)]*\)|`([^`\n]+)`|\b(D-\d+[a-z]?)\b/g;

function linked(node: Json, targets: ReadonlyMap<string, string>): Json {
  if (Array.isArray(node)) return node.map((each) => linked(each, targets));
  if (!isObject(node)) return node;
  const change = ([key, value]: [string, Json]): [string, Json] => {
    if (['example', 'examples', 'value', 'x-codeSamples'].includes(key)) return [key, value];
    if (key === 'description' && typeof value === 'string') return [key, withLinks(value, targets)];
    return [key, linked(value, targets)];
  };
  const copy: JsonObject = Object.fromEntries(entriesOf(node).map(change));
  const decisions = asString(copy['x-decision']);
  if (decisions === '' || typeof copy.description !== 'string') return copy;
  const { 'x-decision': _, description, ...rest } = copy;
  return { ...rest, description: `${asString(description).trim()}\n\n*Decided:* ${withLinks(decisions, targets)}` };
}

function withLinks(text: string, targets: ReadonlyMap<string, string>): string {
  return text.replaceAll(NAMED, (whole, code?: string, decision?: string) => {
    const link = targets.get(code ?? decision ?? '');
    return link === undefined ? whole : `[${whole}](${link})`;
  });
}
