/**
 * The content of a template: a list of blocks, kept as JSON text beside the version's variables. Texts contain
 * placeholders: `{{start_date}}` for a variable, `{{document.number}}` for a field of the document itself. A block with
 * `when` is printed only if its condition on a variable holds. Content is never code, and a value never becomes
 * content.
 */
import { z } from 'zod';
import type { ListVariable, ScalarVariable, VariableSchema } from '../../../generated/client/types.gen.ts';
import { problemsOf } from './schema.ts';

const text = z.string().min(1).max(20_000);
const shortText = z.string().min(1).max(500);
/** The table head is repeated on each page, so it must leave room for the rows below it. */
export const LONGEST_COLUMN_TITLE = 100;
const columnTitle = z.string().min(1).max(LONGEST_COLUMN_TITLE);
const variable = z.string().min(1).max(64);
const align = z.enum(['left', 'center', 'right', 'justify']).optional();
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** `reason`, or `{variable: remote, equals: true}`. */
const condition = z.union([variable, z.strictObject({ variable, equals: scalar })]);
const base = { when: condition.optional() };

const block = z.discriminatedUnion('type', [
  z.strictObject({ ...base, type: z.literal('heading'), text, align }),
  z.strictObject({
    ...base,
    type: z.literal('paragraph'),
    text,
    align,
    bold: z.boolean().optional(),
    /** Begins with a space, as paragraphs of running text do. */
    indent: z.boolean().optional(),
  }),
  /** A row for each object of a list; `width` is the column's share. */
  z.strictObject({
    ...base,
    type: z.literal('table'),
    variable,
    numbered: z.boolean().optional(),
    columns: z
      .array(
        z.strictObject({ field: variable, title: columnTitle, width: z.number().min(1).max(20).optional(), align }),
      )
      .min(1)
      .max(8),
  }),
  z.strictObject({ ...base, type: z.literal('list'), variable, numbered: z.boolean().optional() }),
  /** Titles beside texts. */
  z.strictObject({
    ...base,
    type: z.literal('definitions'),
    rows: z
      .array(z.strictObject({ ...base, title: shortText, text }))
      .min(1)
      .max(100),
  }),
  /** Lines to sign on, each with the text before it and, in small print, the text below it. */
  z.strictObject({
    ...base,
    type: z.literal('signatures'),
    lines: z
      .array(z.strictObject({ title: shortText, name: text.optional(), note: shortText.optional() }))
      .min(1)
      .max(10),
  }),
  z.strictObject({ ...base, type: z.literal('space'), lines: z.number().min(0.5).max(20) }),
  z.strictObject({ ...base, type: z.literal('page_break') }),
]);

const contentShape = z.strictObject({
  /** The language of the words around the values: да or иә, «стр.» or «бет». */
  locale: z.enum(['ru', 'kk']),
  /** The printed texts for the choices of a variable; a field of a list is named `list.field`. */
  labels: z.record(z.string(), z.record(z.string(), shortText)).optional(),
  blocks: z.array(block).max(500),
});

export type Block = z.infer<typeof block>;
export type Content = z.infer<typeof contentShape>;
export type Condition = z.infer<typeof condition>;

/** What `{{document.…}}` may name. */
const DOCUMENT_FIELDS = ['title', 'number', 'date', 'organization'] as const;

/** A placeholder; the group is the name in it. */
export const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9_.]{0,80})\s*\}\}/g;

const LARGEST_CONTENT = 262_144;

/**
 * Reads stored content; a bare list of blocks counts as Russian. A version that was published before content existed
 * has none, and prints each value beside its title.
 */
export function parseContent(contentText: string | undefined): Content {
  if (contentText === undefined) return { locale: 'ru', blocks: [] };
  const content = JSON.parse(contentText) as Content | Block[];
  return Array.isArray(content) ? { locale: 'ru', blocks: content } : content;
}

type Variable = ScalarVariable | ListVariable;

/** Compares a content with the schema, and collects what does not fit. */
class Checks {
  readonly problems: string[] = [];
  readonly #properties: Readonly<Record<string, Variable>>;

  constructor(schema: VariableSchema) {
    this.#properties = schema.properties;
  }

  find(name: string): Variable | undefined {
    return Object.hasOwn(this.#properties, name) ? this.#properties[name] : undefined;
  }

  add(path: string, problem: string): void {
    this.problems.push(`${path}: ${problem}`);
  }

  known(path: string, name: string): Variable | undefined {
    const found = this.find(name);
    if (!found) this.add(path, `names ${name}, which is no variable`);
    return found;
  }

  text(path: string, value: string): void {
    for (const [, name = ''] of value.matchAll(PLACEHOLDER)) {
      if (name.startsWith('document.')) {
        const fields = DOCUMENT_FIELDS.map((field) => `document.${field}`);
        if (!fields.includes(name)) this.add(path, `names ${name}; there are ${fields.join(', ')}`);
        continue;
      }
      const found = this.known(path, name);
      if (found?.type === 'array' && found.items.type === 'object') {
        this.add(path, `names ${name}, a list of objects: a block of type table prints it`);
      }
    }
    if (/\{\{|\}\}/.test(value.replace(PLACEHOLDER, ''))) this.add(path, 'holds {{ or }} that is no placeholder');
  }

  condition(path: string, when: Condition | undefined): void {
    if (when === undefined) return;
    const found = this.known(`${path}.when`, typeof when === 'string' ? when : when.variable);
    if (typeof when === 'string' || !found) return;
    const wanted = found.type === 'integer' ? 'number' : found.type;
    if (found.type === 'array') this.add(`${path}.when`, 'compares a list; name the variable alone');
    else if (typeof when.equals !== wanted) this.add(`${path}.when`, `compares with what is not of type ${found.type}`);
  }

  fields(path: string, list: string): Readonly<Record<string, ScalarVariable>> | undefined {
    const found = this.known(path, list);
    if (!found) return undefined;
    if (found.type === 'array' && found.items.type === 'object') return found.items.properties;
    this.add(path, `names ${list}, which is no list of objects`);
    return undefined;
  }

  labels(labels: Content['labels']): void {
    for (const [name, words] of Object.entries(labels ?? {})) {
      const [list = '', field] = name.split('.');
      const found = field === undefined ? this.known('labels', list) : this.fields(`labels.${name}`, list)?.[field];
      const scalarOne = found?.type === 'array' ? found.items : found;
      const choices = scalarOne && 'enum' in scalarOne ? (scalarOne.enum ?? []).map(String) : [];
      if (!found && field !== undefined) this.add(`labels.${name}`, 'names no field');
      for (const word of found ? Object.keys(words) : []) {
        if (!choices.includes(word)) this.add(`labels.${name}`, `labels ${word}, which is no choice of it`);
      }
    }
  }

  block(path: string, one: Block): void {
    this.condition(path, one.when);
    if (one.type === 'heading' || one.type === 'paragraph') this.text(`${path}.text`, one.text);
    if (one.type === 'list') {
      const found = this.known(`${path}.variable`, one.variable);
      if (found && (found.type !== 'array' || found.items.type === 'object')) {
        this.add(`${path}.variable`, `names ${one.variable}, which is no list of single values`);
      }
    }
    if (one.type === 'table') {
      const fields = this.fields(`${path}.variable`, one.variable);
      for (const [nth, { field }] of one.columns.entries()) {
        if (fields && !Object.hasOwn(fields, field)) this.add(`${path}.columns[${nth}]`, `names ${field}, no field`);
      }
    }
    if (one.type === 'definitions') {
      for (const [nth, row] of one.rows.entries()) {
        this.condition(`${path}.rows[${nth}]`, row.when);
        this.text(`${path}.rows[${nth}].text`, row.text);
      }
    }
    if (one.type === 'signatures') {
      for (const [nth, { name }] of one.lines.entries()) this.text(`${path}.lines[${nth}].name`, name ?? '');
    }
  }
}

/**
 * The problems that prevent publishing a content with a schema.
 * @param content the parsed JSON, of any form
 * @param schema one without `schemaProblems`
 * @returns a sentence for each problem
 */
export function contentProblems(content: unknown, schema: VariableSchema): string[] {
  if ((JSON.stringify(content) ?? '').length > LARGEST_CONTENT) {
    return [`content: is larger than ${LARGEST_CONTENT} characters`];
  }
  const result = contentShape.safeParse(content);
  if (!result.success) return problemsOf(result.error, 'content');
  const checks = new Checks(schema);
  checks.labels(result.data.labels);
  for (const [nth, one] of result.data.blocks.entries()) checks.block(`blocks[${nth}]`, one);
  return checks.problems;
}
