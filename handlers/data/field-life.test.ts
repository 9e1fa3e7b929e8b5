/** That nobody can add a field to a row without saying its life, and that what the maps say of it holds. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { personalDataFields } from '../../generated/contract.ts';
import { documentList } from '../documents/filters.ts';
import { employeeFilters } from '../employees/list.ts';
import { masked } from '../runtime/log.ts';
import { documentLife } from './collections/documents.ts';
import { employeeLife } from './collections/employees.ts';
import { personLife } from './collections/persons.ts';
import { fieldsMet } from './field-life.ts';
import { collectionNames, declarationOf } from './store.ts';

const fileOf = (name: string) => `handlers/data/collections/${name}.ts`;
const rowTypeOf = (name: string) => /: CollectionDeclaration<(\w+)/.exec(readFileSync(fileOf(name), 'utf8'))?.[1];

/** What the compiler says of the collections if each type of a row has a field more. */
function complaints(): string {
  const { ESNext: target } = ts.ScriptTarget;
  const module = ts.ModuleKind.NodeNext;
  // Without what the declarations are not made of, such as the driver.
  const options = { target, module, allowImportingTsExtensions: true, strict: true, noResolve: true };
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (file) => readFile(file)?.replace(/^export interface (\w+Row)\b[^{]*\{/gm, '$& more_of_$1: string;');
  const parts = globSync(['handlers/data/{collection,field-life,lease,outbox,retention}.ts', 'generated/**/*.ts']);
  const program = ts.createProgram([...collectionNames.map(fileOf), ...parts], options, host);
  const files = [...collectionNames.map(fileOf), 'handlers/data/collection.ts'];
  const found = files.flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n');
}

test('a row with a field more does not compile', () => {
  const said = complaints();
  const refused = collectionNames.filter((name) => said.includes(`more_of_${rowTypeOf(name)}`));
  expect(refused).toEqual(collectionNames);
});

test('no field of which one word is enough is one that the contract marks as personal', () => {
  const short = collectionNames.flatMap((name) =>
    Object.entries(declarationOf(name).life).flatMap(([field, life]) => (/^\w+$/.test(String(life)) ? [field] : [])),
  );
  expect(short.filter((field) => Object.hasOwn(personalDataFields, field))).toEqual([]);
});

test.each([
  ['employees', employeeLife, employeeFilters],
  ['documents', documentLife, documentList.filters],
] as const)('the filters of %s compare the fields that are said to be filtered', (_, life, filters) => {
  const compared = Object.values(filters).flatMap(({ field, matches }) => (matches === 'text' ? [] : [field]));
  expect(compared.toSorted()).toEqual(fieldsMet(life, 'filtered').toSorted());
});

test('logs mask what a profile can hide', () => {
  const names = [...fieldsMet(employeeLife, 'hideable'), ...fieldsMet(personLife, 'hideable')];
  const logged = masked(Object.fromEntries(names.map((name) => [name, 'seen'])));
  expect(Object.values(logged as object)).toEqual(names.map(() => '[masked]'));
});
