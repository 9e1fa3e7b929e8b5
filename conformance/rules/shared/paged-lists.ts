/** The lists of the contract that have pages, their filters, and which rows a filter must find. */
import { operations } from '../../../generated/contract.ts';
import type { ListId } from '../../http/api.ts';
import type { Values } from '../../profile/values.ts';
import { answerOf, type ContractList, contractLists, type InputParameter } from './contract-inputs.ts';

/** A row of any list. */
export type Row = Readonly<Record<string, unknown>> & { id: string; create_time: string };

/** Which rows a filter must find. */
interface FilterOracle {
  /** A value that finds the row. */
  valueOf(row: Row): string;
  /** What tells the rows that a value finds. */
  matcher(value: string, values: Values): (row: Row) => boolean;
}

export interface ListFilter extends InputParameter {
  readonly isId: boolean;
  readonly isInstant: boolean;
  /** Absent if the contract does not show which field of a row the filter is about. */
  readonly oracle?: FilterOracle;
}

export interface PagedList extends ContractList {
  readonly operationId: ListId;
  /** Below the prefix. */
  readonly path: string;
  readonly filters: readonly ListFilter[];
  /** The parameters that say what is in the answer and not which rows: they may change from page to page of a walk. */
  readonly changeable: readonly InputParameter[];
  /** The section of the rules about its rows. */
  readonly section: string;
  readonly defaultLimit: number;
  readonly hasTotal: boolean;
}

const equality = (field: string): FilterOracle => ({
  valueOf: (row) => String(row[field]),
  matcher(value) {
    const lower = value.toLowerCase();
    return (row) => row[field] === value || String(row[field]).toLowerCase() === lower;
  },
});

const FINE = /\.(\d{3})(\d*[1-9]\d*)(?=Z|[+-]\d\d:\d\d$)/i;

/** The millisecond of an instant, and whether it lies within it. */
function instantOf(text: string): { ms: number; isWithin: boolean } {
  return { ms: Date.parse(text.replace(FINE, '.$1')), isWithin: FINE.test(text) };
}

/** `updated_since` finds rows that changed at the instant or later. */
const from = (field: string): FilterOracle => ({
  valueOf: (row) => String(row[field]),
  matcher(value, { updated_since_rounding }) {
    const { ms, isWithin } = instantOf(value);
    const first = ms + (isWithin && updated_since_rounding === 'up' ? 1 : 0);
    return (row) => Date.parse(String(row[field])) >= first;
  },
});

/** `created_after` finds rows that were created later than the instant, or also at it, as the target declares. */
const after = (field: string): FilterOracle => ({
  valueOf: (row) => new Date(Date.parse(String(row[field])) - 1).toISOString(),
  matcher(value, { created_after_boundary }) {
    const first = instantOf(value).ms + (created_after_boundary === 'inclusive' ? 0 : 1);
    return (row) => Date.parse(String(row[field])) >= first;
  },
});

const folded = (text: string) => text.normalize('NFC').toLowerCase();

/** Filters that no field of a row judges by itself. The titles of the rows that rules make end with another word each. */
const byHand: Readonly<Record<string, FilterOracle>> = {
  'listDocuments.search': {
    valueOf: ({ title }) => String(title).replace(/ \S*$/, ''),
    matcher: (value) => (row) => [row.title, row.number].some((text) => folded(String(text)).includes(folded(value))),
  },
};

function oracleOf({ operationId, row }: ContractList, name: string): FilterOracle | undefined {
  const has = (field: string) => row.fields.some((one) => one.name === field && !one.schema.types.includes('array'));
  const [, verb = '', relation] = /^(.*)d_(since|after)$/.exec(name) ?? [];
  if (has(`${verb}_time`)) return relation === 'since' ? from(`${verb}_time`) : after(`${verb}_time`);
  return has(name) ? equality(name) : byHand[`${operationId}.${name}`];
}

/** Sections of the rules about rows, by the tag of the list. Others are with the catalogues. */
const SECTIONS: Readonly<Record<string, string>> = { employees: 'EMP', documents: 'DREAD' };

/** Whether a parameter only adds something to the answer: objects that its values name, or a number. */
function isChangeable({ row }: ContractList, { name, schema }: InputParameter): boolean {
  const isField = (field: string) => row.fields.some((one) => one.name === field);
  const { values = [], types } = schema;
  return values.length > 0 ? values.every(isField) : types.join() === 'boolean' && !isField(name);
}

function pagedList(list: ContractList): PagedList {
  const { route, tag, parameters } = operations[list.operationId];
  const given = parameters.find(({ name }) => name === 'limit')?.default;
  const filters = list.filters.filter((one) => !isChangeable(list, one));
  return {
    ...list,
    operationId: list.operationId as ListId,
    path: route,
    filters: filters.map((one): ListFilter => {
      const oracle = oracleOf(list, one.name);
      const isId = parameters.some(({ name, isId }) => isId && name === one.name);
      return { ...one, isId, isInstant: one.schema.format === 'date-time', oracle };
    }),
    changeable: list.filters.filter((one) => isChangeable(list, one)),
    section: SECTIONS[tag] ?? 'DT',
    defaultLimit: Number(given),
    hasTotal: answerOf(list.operationId).fields.some(({ name }) => name === 'total_count'),
  };
}

/** Every list that has pages, in the order of the contract. */
export const pagedLists: readonly PagedList[] = contractLists.filter(({ isPaged }) => isPaged).map(pagedList);

/** Lists whose single rows can be read, with the operation that does it. */
export const readableLists = pagedLists.flatMap((list) =>
  list.single === undefined ? [] : [{ ...list, single: list.single, singleRow: list.singleRow ?? '' }],
);

/** The largest page that every list serves. */
export const LARGEST = 1000;
