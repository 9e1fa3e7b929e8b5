/** A template's content with the values in it: plain texts, ready to be laid out. */
import type { ListVariable, ScalarVariable, VariableSchema } from '../../generated/client/types.gen.ts';
import { type Block, type Condition, type Content, LONGEST_COLUMN_TITLE, PLACEHOLDER } from './template-content.ts';

export type Align = 'left' | 'center' | 'right' | 'justify';

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
  readonly number: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly organization: string;
}

/** Stands where an optional value is not given. */
const NOTHING = '—';
const NBSP = '\u00a0';
const WORDS = { ru: { yes: 'да', no: 'нет' }, kk: { yes: 'иә', no: 'жоқ' } } as const;

/** Without exponents, in all its digits; grouped by our own code, as groupings differ between releases of ICU. */
const plain = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 100 });

/** `1234567.5` → `1 234 567,5`, with spaces that do not break. */
export function formatNumber(value: number): string {
  const [whole = '', fraction] = plain.format(value).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, NBSP);
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}

/** `2026-03-02` → `02.03.2026`; what is no date is shown as it is. */
export function formatDate(value: string): string {
  return value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3.$2.$1');
}

type Values = Readonly<Record<string, unknown>>;
type Labels = Readonly<Record<string, string>>;

const own = (values: unknown, name: string): unknown =>
  typeof values === 'object' && values !== null && Object.hasOwn(values, name) ? (values as Values)[name] : undefined;

class Filling {
  readonly #content: Content;
  readonly #schema: VariableSchema;
  readonly #values: unknown;
  readonly #document: DocumentFields;

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

  #scalar(value: unknown, format: string | undefined, labels: Labels | undefined): string {
    const label = own(labels, String(value));
    if (typeof label === 'string') return label;
    if (typeof value === 'boolean') return WORDS[this.#content.locale][value ? 'yes' : 'no'];
    if (typeof value === 'number') return formatNumber(value);
    if (typeof value !== 'string' || value === '') return NOTHING;
    return format === 'date' ? formatDate(value) : value;
  }

  #variable(name: string): string {
    const schema = this.#schemaOf(name);
    const value = own(this.#values, name);
    if (schema?.type !== 'array') return this.#scalar(value, schema?.format, this.#labels(name));
    const { items } = schema;
    if (!Array.isArray(value) || value.length === 0 || items.type === 'object') return NOTHING;
    return value.map((item) => this.#scalar(item, items.format, this.#labels(name))).join(', ');
  }

  text(text: string): string {
    // One pass: braces in a value are not looked at again.
    return text.replace(PLACEHOLDER, (_, name: string) => {
      if (!name.startsWith('document.')) return this.#variable(name);
      const field = own(this.#document, name.slice('document.'.length));
      const shown = typeof field === 'string' && field !== '' ? field : NOTHING;
      return name === 'document.date' ? formatDate(shown) : shown;
    });
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

  #table(block: Extract<Block, { type: 'table' }>): FilledBlock {
    const schema = this.#schemaOf(block.variable);
    const fields = schema?.type === 'array' && schema.items.type === 'object' ? schema.items.properties : {};
    const columns = block.columns.map(({ field, title, width = 3, align }) => {
      const type = (own(fields, field) as ScalarVariable | undefined)?.type;
      return { title, width, align: align ?? (type === 'number' || type === 'integer' ? 'right' : 'left') };
    });
    const rows = this.#rows(block.variable).map((row) =>
      block.columns.map(({ field }) => {
        const format = (own(fields, field) as ScalarVariable | undefined)?.format;
        return this.#scalar(own(row, field), format, this.#labels(`${block.variable}.${field}`));
      }),
    );
    if (!block.numbered) return { type: 'table', columns, rows };
    return {
      type: 'table',
      columns: [{ title: '№', width: 1, align: 'center' }, ...columns],
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
        const items = this.#rows(block.variable).map((item) => this.#scalar(item, format, labels));
        return { type: 'list', items, numbered: block.numbered ?? false };
      }
      case 'definitions': {
        const rows = block.rows.filter(({ when }) => this.holds(when));
        return { type: 'definitions', rows: rows.map(({ title, text }) => ({ title, text: this.text(text) })) };
      }
      case 'signatures': {
        const lines = block.lines.map(({ title, name = '', note = '' }) => ({ title, name: this.text(name), note }));
        return { type: 'signatures', lines };
      }
      default:
        return block;
    }
  }
}

/** A template without blocks prints each value beside its title. */
function blocksOf(content: Content, schema: VariableSchema): readonly Block[] {
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
 * Puts the values into the content. Values become texts and nothing else: what stands in them is never a placeholder.
 * @param values such as `templateValueViolations` lets through
 */
export function fillTemplate(
  content: Content,
  schema: VariableSchema,
  values: unknown,
  document: DocumentFields,
): FilledBlock[] {
  const filling = new Filling(content, schema, values, document);
  return blocksOf(content, schema)
    .filter(({ when }) => filling.holds(when))
    .map((block) => filling.block(block));
}
