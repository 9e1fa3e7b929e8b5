/**
 * How heavy each room is. Whoever needs more raises a number here, in a commit that says what came for it; whoever needs
 * less lowers it.
 */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { projectFiles } from './kit/project-copy.ts';

const root = resolve(import.meta.dirname, '..');

/**
 * Of code: nodes of its syntax tree, so that neither layout nor comments nor the length of names count; and its casts, with
 * every `any`: what the compiler is told and cannot check. Of other files, but for pages: bytes.
 */
const units = ['source', 'tests', 'casts', 'bytes'] as const;
type Unit = (typeof units)[number];

/** The most of each unit. */
const budgets: Readonly<Record<string, readonly [source: number, tests: number, casts: number, bytes: number]>> = {
  '(root)': [100, 0, 0, 434_000],
  client: [19_400, 23_200, 50, 2000],
  conformance: [230_100, 44_900, 290, 305_000],
  deploy: [12_700, 11_200, 30, 273_000],
  docs: [0, 0, 0, 4000],
  generated: [0, 0, 0, 1_074_000],
  handlers: [179_100, 156_600, 400, 59_000],
  load: [10_300, 3600, 20, 0],
  scripts: [1000, 5300, 8, 1000],
  'scripts/contract': [35_500, 16_900, 31, 1_910_000],
  'scripts/embedded-db': [28_800, 13_000, 106, 1000],
  'scripts/kit': [8800, 3800, 10, 6000],
  'scripts/lab': [65_700, 8800, 39, 131_000],
  'scripts/operate': [59_100, 26_600, 58, 0],
  'scripts/packages': [1700, 0, 0, 0],
  'scripts/world': [35_800, 500, 45, 1000],
};

/** How far a budget may be above what is there. */
const slack: Readonly<Record<Unit, number>> = { source: 250, tests: 250, casts: 5, bytes: 5_000 };

/** A folder of the top level, or of `scripts/`; what is generated is a room, and so are the files of the top level. */
function roomOf(file: string): string {
  const parts = file.split('/');
  if (parts.length === 1) return '(root)';
  return parts[0] === 'scripts' && parts.length > 2 ? `scripts/${parts[1]}` : (parts[0] as string);
}

const isCode = (file: string) => /\.(ts|mts|mjs|js)$/.test(file);
const isTest = (file: string) => /\.test\.ts$|(^|\/)testing\//.test(file);
/** Pages have readers of their own, a lock file is the tool's, and what begins with a dot is for tools, too. */
const isCounted = (file: string) => !/\.md$|^package-lock\.json$|(^|\/)\.|^LICENSE$/.test(file);

const isCast = (node: ts.Node, source: ts.SourceFile) =>
  node.kind === ts.SyntaxKind.AnyKeyword || (ts.isAsExpression(node) && node.type.getText(source) !== 'const');

function weigh(file: string): Partial<Record<Unit, number>> {
  if (!isCode(file) || file.startsWith('generated/')) return { bytes: statSync(join(root, file)).size };
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  let [nodes, casts] = [0, 0];
  const visit = (node: ts.Node) => {
    nodes += 1;
    if (isCast(node, source)) casts += 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return isTest(file) ? { tests: nodes, casts } : { source: nodes, casts };
}

test('no room is heavier than its budget, and no budget is much more than its room needs', () => {
  const rooms = new Map<string, Record<Unit, number>>();
  for (const file of projectFiles(root).filter(isCounted)) {
    const sum = rooms.get(roomOf(file)) ?? { source: 0, tests: 0, casts: 0, bytes: 0 };
    for (const [unit, weight] of Object.entries(weigh(file)) as [Unit, number][]) sum[unit] += weight;
    rooms.set(roomOf(file), sum);
  }
  const wrong = [...rooms].flatMap(([room, sum]) =>
    units.flatMap((unit, at) => {
      const budget = budgets[room]?.[at] ?? 0;
      const isWithin = sum[unit] <= budget && budget - sum[unit] < slack[unit];
      return isWithin ? [] : [`${room} has ${sum[unit]} of ${unit}, and its budget is ${budget}`];
    }),
  );
  expect(wrong).toEqual([]);
  expect([...rooms.keys()].toSorted()).toEqual(Object.keys(budgets));
});
