/** Fills a template's content with values: the result is plain texts, ready for the layout. */
import type { ListVariable, ScalarVariable, VariableSchema } from '../../../generated/client/types.gen.ts';
import { type Block, type Condition, type Content, LONGEST_COLUMN_TITLE, PLACEHOLDER } from './content.ts';
import { formatDate } from './dates.ts';
import { ENTRY_WEIGHT, LARGEST_DOCUMENT, LINE_WEIGHT, NARROW_LINE, PAGE_WEIGHT, weightOf } from './weight.ts';

type Align = 'left' | 'center' | 'right' | 'justify';

/** A block without variables. */
export type FilledBlock =
  | { readonly type: 'heading'; readonly text: string; readonly align: Align }
  | {
      readonly type: 'paragraph';
      readonly text: string;
      readonly align: Align;
      readonly bold: boolean;
      readonly indent: boolean;
    }
  | {
      readonly type: 'table';
      readonly columns: readonly { readonly title: string; readonly width: number; readonly align: Align }[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly type: 'list'; readonly items: readonly string[]; readonly numbered: boolean }
  | { readonly type: 'definitions'; readonly rows: readonly { readonly title: string; readonly text: string }[] }
  | {
      readonly type: 'signatures';
      readonly lines: readonly { readonly title: string; readonly name: string; readonly note: string }[];
    }
  | { readonly type: 'space'; readonly lines: number }
  | { readonly type: 'page_break' };

/** What a document has besides its values. */
export interface DocumentFields {
  readonly title: string;
  /** `''` if it has none. */
  readonly number: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The organisation's title, or `''`. */
  readonly organization: string;
}

/** Printed for an optional value that is not given. */
const NOTHING = '—';
/** The head of the column that counts the rows. */
const NUMBER = '№';
const NBSP = '\u00a0';
const WORDS = { ru: { yes: 'да', no: 'нет' }, kk: { yes: 'иә', no: 'жоқ' } } as const;

/** Writes all digits, without an exponent. Our own code groups them, as groupings differ between releases of ICU. */
const plain = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 100 });

/** `1234567.5` → `1 234 567,5`, with spaces that do not break. */
export function formatNumber(value: number): string {
  const [whole = '', fraction] = plain.format(value).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, NBSP);
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}

type TemplateValues = Readonly<Record<string, unknown>>;
type Labels = Readonly<Record<string, string>>;

const own = (values: unknown, name: string): unknown =>
  typeof values === 'object' && values !== null && Object.hasOwn(values, name)
    ? (values as TemplateValues)[name]
    : undefined;

/** Thrown if the filled document is larger than is printed. */
const TOO_MUCH = Symbol('too much');

/** A document without variables. */
interface FilledContent {
  readonly blocks: FilledBlock[];
  /** The texts among the values that stand in it as they were sent, by their path, such as `rows[2].name`. */
  readonly sent: ReadonlyMap<string, string>;
}

interface ShownVariable {
  readonly text: string;
  readonly weight: number;
}

class FillState {
  readonly #content: Content;
  readonly #schema: VariableSchema;
  readonly #values: unknown;
  readonly #document: DocumentFields;
  readonly sent = new Map<string, string>();
  /** What each placeholder shows. */
  readonly #shown = new Map<string, ShownVariable>();
  #room = LARGEST_DOCUMENT;

  constructor(content: Content, schema: VariableSchema, values: unknown, document: DocumentFields) {
    this.#content = content;
    this.#schema = schema;
    this.#values = values;
    this.#document = document;
  }

  #schemaOf(name: string): ScalarVariable | ListVariable | undefined {
    return own(this.#schema.properties, name) as ScalarVariable | ListVariable | undefined;
  }

  #labels(name: string): Labels | undefined {
    return own(this.#content.labels, name) as Labels | undefined;
  }

  #scalar(path: string, value: unknown, format: string | undefined, labels: Labels | undefined): string {
    const label = own(labels, String(value));
    if (typeof label === 'string') return label;
    if (typeof value === 'boolean') return WORDS[this.#content.locale][value ? 'yes' : 'no'];
    if (typeof value === 'number') return formatNumber(value);
    if (typeof value !== 'string' || value === '') return NOTHING;
    if (format === 'date') return formatDate(value);
    this.sent.set(path, value);
    return value;
  }

  #variable(name: string): string {
    const schema = this.#schemaOf(name);
    const value = own(this.#values, name);
    if (schema?.type !== 'array') return this.#scalar(name, value, schema?.format, this.#labels(name));
    const { items } = schema;
    if (!Array.isArray(value) || value.length === 0 || items.type === 'object') return NOTHING;
    return value.map((item, nth) => this.#scalar(`${name}[${nth}]`, item, items.format, this.#labels(name))).join(', ');
  }

  #field(name: string): string {
    const field = own(this.#document, name);
    const shown = typeof field === 'string' && field !== '' ? field : NOTHING;
    return name === 'date' ? formatDate(shown) : shown;
  }

  #placeholder(name: string): ShownVariable {
    const known = this.#shown.get(name);
    if (known !== undefined) return known;
    const text = name.startsWith('document.') ? this.#field(name.slice('document.'.length)) : this.#variable(name);
    const shown = { text, weight: weightOf(text) };
    this.#shown.set(name, shown);
    return shown;
  }

  /** Counts the weight before the text is built, as a text may contain a long value many times. */
  #take(weight: number): void {
    this.#room -= weight;
    if (this.#room < 0) throw TOO_MUCH;
  }

  #fixed(text: string): string {
    this.#take(ENTRY_WEIGHT + weightOf(text));
    return text;
  }

  text(text: string): string {
    this.#take(ENTRY_WEIGHT + weightOf(text));
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) this.#take(this.#placeholder(name).weight);
    // One pass, so that braces in a value are never taken as placeholders.
    return text.replace(PLACEHOLDER, (_, name: string) => this.#placeholder(name).text);
  }

  holds(when: Condition | undefined): boolean {
    if (when === undefined) return true;
    if (typeof when !== 'string') return own(this.#values, when.variable) === when.equals;
    const value = own(this.#values, when);
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  }

  #rows(name: string): readonly unknown[] {
    const value = own(this.#values, name);
    return Array.isArray(value) ? value : [];
  }

  /** @param share of the table's width: in a narrow column a text takes more lines */
  #cell(text: string, share: number): string {
    this.#take(ENTRY_WEIGHT + weightOf(text) * Math.max(1, NARROW_LINE / (LINE_WEIGHT * share)));
    return text;
  }

  #table(block: Extract<Block, { type: 'table' }>): FilledBlock {
    const schema = this.#schemaOf(block.variable);
    const fields = schema?.type === 'array' && schema.items.type === 'object' ? schema.items.properties : {};
    const columns = block.columns.map(({ field, title, width = 3, align }) => {
      const type = (own(fields, field) as ScalarVariable | undefined)?.type;
      return { title, width, align: align ?? (type === 'number' || type === 'integer' ? 'right' : 'left') };
    });
    const shares = columns.reduce((sum, { width }) => sum + width, block.numbered ? 1 : 0);
    for (const { title, width } of columns) this.#cell(title, width / shares);
    const rows = this.#rows(block.variable).map((row, place) => {
      if (block.numbered) this.#cell(NUMBER, 1 / shares);
      return block.columns.map(({ field }, nth) => {
        const format = (own(fields, field) as ScalarVariable | undefined)?.format;
        const path = `${block.variable}[${place}].${field}`;
        const text = this.#scalar(path, own(row, field), format, this.#labels(`${block.variable}.${field}`));
        return this.#cell(text, (columns[nth]?.width ?? 0) / shares);
      });
    });
    if (!block.numbered) return { type: 'table', columns, rows };
    return {
      type: 'table',
      columns: [{ title: NUMBER, width: 1, align: 'center' }, ...columns],
      rows: rows.map((row, nth) => [String(nth + 1), ...row]),
    };
  }

  block(block: Block): FilledBlock {
    switch (block.type) {
      case 'heading':
        return { type: 'heading', text: this.text(block.text), align: block.align ?? 'left' };
      case 'paragraph': {
        const { align = 'left', bold = false, indent = false } = block;
        return { type: 'paragraph', text: this.text(block.text), align, bold, indent };
      }
      case 'table':
        return this.#table(block);
      case 'list': {
        const schema = this.#schemaOf(block.variable);
        const format = schema?.type === 'array' && schema.items.type !== 'object' ? schema.items.format : undefined;
        const labels = this.#labels(block.variable);
        const items = this.#rows(block.variable).map((item, nth) =>
          this.#fixed(this.#scalar(`${block.variable}[${nth}]`, item, format, labels)),
        );
        return { type: 'list', items, numbered: block.numbered ?? false };
      }
      case 'definitions': {
        const rows = block.rows.filter(({ when }) => this.holds(when));
        return {
          type: 'definitions',
          rows: rows.map(({ title, text }) => ({ title: this.#fixed(title), text: this.text(text) })),
        };
      }
      case 'signatures': {
        const lines = block.lines.map(({ title, name = '', note = '' }) => ({
          title: this.#fixed(title),
          name: this.text(name),
          note: this.#fixed(note),
        }));
        return { type: 'signatures', lines };
      }
      case 'space':
        this.#take(block.lines * LINE_WEIGHT);
        return block;
      case 'page_break':
        this.#take(PAGE_WEIGHT);
        return block;
    }
  }
}

/** The blocks of a template; one without any prints each value beside its title. */
export function blocksOf(content: Content, schema: VariableSchema): readonly Block[] {
  const entries = Object.entries(schema.properties);
  if (content.blocks.length > 0 || entries.length === 0) return content.blocks;
  return entries.map(([variable, { title = variable, ...rest }]): Block => {
    if (rest.type !== 'array' || rest.items.type !== 'object') {
      return { type: 'definitions', rows: [{ title, text: `{{${variable}}}` }] };
    }
    const columns = Object.entries(rest.items.properties).map(([field, one]) => ({
      field,
      title: (one.title ?? field).slice(0, LONGEST_COLUMN_TITLE),
    }));
    return { type: 'table', variable, when: variable, columns: columns.slice(0, 8) };
  });
}

/**
 * Puts the values into the content. Values only become texts; a placeholder inside a value has no effect.
 * @param values must have passed `templateValueViolations`
 * @returns undefined if the document is larger than `LARGEST_DOCUMENT`
 */
export function fillTemplate(
  content: Content,
  schema: VariableSchema,
  values: unknown,
  document: DocumentFields,
): FilledContent | undefined {
  const filling = new FillState(content, schema, values, document);
  try {
    const blocks = blocksOf(content, schema)
      .filter(({ when }) => filling.holds(when))
      .map((block) => filling.block(block));
    return { blocks, sent: filling.sent };
  } catch (error) {
    if (error === TOO_MUCH) return undefined;
    throw error;
  }
}

/** Whether a valid content cannot be published because it is too large even without values; a sentence if so. */
export function fillProblems(content: Content, schema: VariableSchema): string[] {
  const least = fillTemplate(content, schema, {}, { title: '', number: '', date: '', organization: '' });
  if (least !== undefined) return [];
  return [
    `content: comes to more than ${LARGEST_DOCUMENT} characters without any values, which is more than is printed`,
  ];
}
