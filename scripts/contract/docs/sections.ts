/** The prose of the contract as pages that the menu shows and the search finds, with links between them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Contract,
  type ContractOperation,
  catalogueOf,
  eventsOf,
  isObject,
  type Json,
  mapped,
  operationsOf,
} from '../read.ts';

/** Where the page of a decision is. */
export const decisionLink = (id: string): string => `#/${id.toLowerCase()}`;

/** Where an operation or an event is. */
export const operationLink = ({ tag, operationId }: ContractOperation): string =>
  `#/${tag}/${operationId.toLowerCase()}`;

/** A page of prose. */
export interface Section {
  /** Its address is `#/` and this. */
  readonly name: string;
  readonly heading: string;
  readonly text: string;
}

/** Pages beside those of the introduction. */
export interface MorePages {
  readonly guide: readonly Section[];
  readonly errors: readonly Section[];
  readonly decisions: readonly Section[];
  readonly releases: Section;
}

/**
 * A copy in which each section of the introduction, and each other page, is a tag without operations. Decisions, errors and
 * operations that a text names are links.
 */
export function inSections(contract: Contract, { guide, errors, decisions, releases }: MorePages): Contract {
  const { info, tags = [], 'x-tagGroups': groups = [] } = contract;
  const [opening = '', ...parts] = info.description.split(/^## /m);
  const sections = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { name: heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), heading, text: lines.join('\n') };
  });
  const about = [...sections.slice(0, -1), verification(), ...sections.slice(-1), releases];
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
  return linked(
    {
      ...contract,
      info: { ...info, description: opening },
      tags: [...[...guide, ...about].map(tagOf), ...tags, ...[...errors, ...decisions].map(tagOf)],
      'x-tagGroups': [
        { name: 'Guide', tags: namesOf(guide) },
        { name: 'About', tags: namesOf(about) },
        ...groups,
        { name: 'Errors', tags: namesOf(errors) },
        { name: 'Decisions', tags: namesOf(decisions) },
      ],
    },
    targetsOf(contract),
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
  return new Map([
    ...catalogueOf(contract).map(({ reason, page }) => [reason, `#/${page}`] as const),
    ...[...operationsOf(contract), ...eventsOf(contract)].map(
      (each) => [each.operationId, operationLink(each)] as const,
    ),
    ...Object.keys(contract['x-decisions'] ?? {}).map((id) => [id, decisionLink(id)] as const),
  ]);
}

/** Links, tables of HTML, blocks of code and code stay as they are, but for code that is nothing but a name. */
const NAMED = /```[\s\S]*?```|<table[\s\S]*?<\/table>|\[[^\]]*\]\([^)]*\)|`([^`\n]+)`|\b(D-\d+[a-z]?)\b/g;

/**
 * Prose with each paragraph, and each item of a list, in one line. Redoc's search would take the word at the end of a line and
 * that at the beginning of the next one for one word.
 */
export function inWholeLines(text: string): string {
  let isCode = false;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const before = lines.at(-1) ?? '';
    const goesOn = !isCode && OPEN.test(before) && GOES_ON.test(line);
    if (goesOn) lines[lines.length - 1] = `${before.trimEnd()} ${line.trimStart()}`;
    else lines.push(line);
    if (/^ *```/.test(line)) isCode = !isCode;
  }
  return lines.join('\n');
}

/** A line of prose or of a list: no blank one, heading, row of a table, HTML or end of code, nor one that ends by a break. */
const OPEN = /^ *(?!#|\||<|```)\S.*(?<! {2})$/;
/** A line that begins no paragraph, list, table, heading, HTML or code of its own. */
const GOES_ON = /^ *(?!#|\||<|```|[-*+] |\d+\. )\S/;

function linked<T extends Json>(node: T, targets: ReadonlyMap<string, string>): T;
function linked(node: Json, targets: ReadonlyMap<string, string>): Json {
  if (Array.isArray(node)) return node.map((each) => linked(each, targets));
  if (!isObject(node)) return node;
  const { 'x-decision': decisions, ...copy } = mapped(node, (value, key) => {
    if (['example', 'examples', 'value', 'x-codeSamples'].includes(key)) return value;
    return key === 'description' && typeof value === 'string'
      ? inWholeLines(withLinks(value, targets))
      : linked(value, targets);
  });
  const { description } = copy;
  if (typeof decisions !== 'string' || typeof description !== 'string') return { ...copy, 'x-decision': decisions };
  return { ...copy, description: `${description.trim()}\n\n*Decided:* ${withLinks(decisions, targets)}` };
}

function withLinks(text: string, targets: ReadonlyMap<string, string>): string {
  return text.replaceAll(NAMED, (whole, code?: string, decision?: string) => {
    const link = targets.get(code ?? decision ?? '');
    return link === undefined ? whole : `[${whole}](${link})`;
  });
}
