/** The page of releases: what each one changed, and a choice of two whose difference a script shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERYWHERE, IS_NEW, type KeptChanges, NEXT, type ReleaseChange, readChanges } from '../kept-changes.ts';
import { type Contract, type ContractOperation, catalogueOf, eventsOf, operationsOf } from '../read.ts';
import { ROOT } from '../redocly.ts';
import { operationLink, type Section } from './sections.ts';

/** What a reader must do comes first. Those of the changelog are told there, the others by comparing contracts. */
export const CHANGE_KINDS = {
  breaks: 'Breaking: change your program first',
  check: 'Check your program: what was taken is refused now, or means something else',
  expect: 'Expect in what you read',
  offers: 'New, wider or promised',
  told: 'Further in the changelog',
} as const;
type LineKind = keyof typeof CHANGE_KINDS;

/** A line of the page. */
interface ReleaseLine {
  readonly kind: LineKind;
  /** The places of the releases, in their order, that added what the line is about; -1 for what the first one had. */
  readonly since: number;
  readonly text: string;
}

/** What the changelog says of a release about the interface. */
interface ChangelogEntry {
  readonly about: string;
  readonly lines: readonly { readonly kind: 'check' | 'told'; readonly text: string }[];
}

const CHECKS = 'Check your program';
const TOOLS = /^(?:#+ )?Tools, beside the interface/m;

/** The entries of a changelog, by release; what is not released is `next`. */
function entriesOfChangelog(changelog: string): ReadonlyMap<string, ChangelogEntry> {
  const parts = changelog.split(/^## /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [heading = '', ...rest] = part.split('\n');
      const [told = ''] = rest.join('\n').split(TOOLS);
      const [opening = '', ...sections] = told.split(/^### /m);
      const [about = '', ...first] = opening.split(/^- /m);
      const lines = [first, ...sections.map((section) => section.split(/^- /m).slice(1))].flatMap((bullets, index) => {
        const kind = sections[index - 1]?.startsWith(CHECKS) ? ('check' as const) : ('told' as const);
        return bullets.map((text) => ({ kind, text: text.trim().replaceAll(/\s+/g, ' ') }));
      });
      return [heading === 'Unreleased' ? NEXT : heading.trim(), { about: about.trim(), lines }];
    }),
  );
}

/** The page of releases. @throws Error if the changes or the changelog cannot be read */
export function releasesPage(contract: Contract): Section {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  return {
    name: 'releases',
    heading: 'Releases: what changed',
    text: releasesText(contract, readChanges(), changelog),
  };
}

/** The text of the page. @param changes those of every release but the first one, in their order */
export function releasesText(contract: Contract, changes: KeptChanges, changelog: string): string {
  const subjects = subjectsOf(contract);
  const entries = entriesOfChangelog(changelog);
  const [first = ''] = [...entries.keys()].filter((name) => name !== NEXT).reverse();
  const names = [first, ...Object.keys(changes)];
  const added = new Map(
    names.flatMap((name, index) =>
      (changes[name] ?? []).filter(({ text }) => text === IS_NEW).flatMap(({ of }) => of.map((each) => [each, index])),
    ) as [string, number][],
  );
  const blocks = names.map((name, index) => {
    const entry = entries.get(name);
    const compared = (changes[name] ?? []).flatMap((change) => linesOf(change, subjects, added));
    const lines = [...compared, ...(entry?.lines ?? []).map((line) => ({ ...line, since: -1 }))];
    if (name === NEXT && lines.length === 0) return '';
    return [`### ${titleOf(name)}`, entry?.about ?? '', ...groups(lines, index, index === 0)]
      .filter(Boolean)
      .join('\n\n');
  });
  const shown = names.filter((_, index) => blocks[index] !== '');
  return [
    'What changed in each release for an integrator, and what to do first. The contract of every release was compared with the one ' +
      'before; what a comparison cannot see is told in the words of the changelog. A client of any release goes on working with a ' +
      'later one (`D-32`).',
    choice(shown),
    ...blocks.filter(Boolean).reverse(),
  ].join('\n\n');
}

const titleOf = (name: string): string => (name === NEXT ? 'Not released yet' : name);

function groups(lines: readonly ReleaseLine[], index: number, isFirst: boolean): string[] {
  return Object.entries(CHANGE_KINDS).flatMap(([kind, title]) => {
    const own = lines.filter((line) => line.kind === kind);
    if (own.length === 0) return kind === 'breaks' && !isFirst ? ['**Breaking:** nothing.'] : [];
    const items = own.map(({ since, text }) => `- <span data-change="${kind} ${index} ${since}"></span>${text}`);
    return [`**${title}**`, items.join('\n')];
  });
}

/** How a name of a change is shown, and what it is for. */
type Subjects = ReadonlyMap<string, { readonly link: string; readonly summary: string }>;

const subjectsOf = (contract: Contract): Subjects =>
  new Map([
    [EVERYWHERE, { link: 'Every operation', summary: '' }],
    ...operationsOf(contract).map((operation) => subjectOf(operation, operation.operationId, operation.operationId)),
    ...eventsOf(contract).map((event) => subjectOf(event, event.path, `event ${event.path}`)),
    ...catalogueOf(contract).map(({ name, reason, page, example: { summary } }) => {
      return [name, { link: `[${reason}](#/${page})`, summary }] as const;
    }),
  ]);

const subjectOf = (operation: ContractOperation, name: string, shown: string) =>
  [name, { link: `[${shown}](${operationLink(operation)})`, summary: operation.source.summary }] as const;

/** One change as lines: each new thing has its own, with what it is for. */
function linesOf(
  { kind, of, text }: ReleaseChange,
  subjects: Subjects,
  added: ReadonlyMap<string, number>,
): ReleaseLine[] {
  const about = of.map((name) => subjects.get(name) ?? { link: name, summary: '' });
  if (text === IS_NEW) {
    return about.map(({ link, summary }) => ({ kind, since: -1, text: `New: ${link}. ${summary}.` }));
  }
  const since = Math.min(...of.map((name) => added.get(name) ?? -1));
  return [{ kind, since, text: `${about.map(({ link }) => link).join(', ')}: ${text}` }];
}

/** Without scripts it does nothing, and each release stands below it. The first option is chosen: the newest pair. */
function choice(names: readonly string[]): string {
  const options = names.map((name, index) => `<option value="${index}">${titleOf(name)}</option>`);
  return [
    `<p id="compare-releases">From <select aria-label="From release">${options.slice(0, -1).reverse().join('')}</select>`,
    `to <select aria-label="To release">${options.slice(1).reverse().join('')}</select>`,
    '<button type="button">Compare</button></p><div id="difference" role="status"></div>',
  ].join(' ');
}
