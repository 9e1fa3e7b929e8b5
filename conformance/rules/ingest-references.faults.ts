/** Faults that the rules of ingest-references.rules.ts must catch. */
import { bodies, both, each, type Json, keyOf, parse, refuses, setHeader } from '../mutation/alter.ts';
import { forgetting, records } from '../mutation/alter-ingest.ts';
import { withNewKey } from '../mutation/alter-lists.ts';
import type { Alter, Fault, ProxiedRequest } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const never = /never-loaded/;

const INGEST = 'ingestRecords';

/** Alters all records of batches of this type. */
const batches = (type: string, change: (records: Json[], json: Json) => Json[]): Alter =>
  bodies(INGEST, (json) => {
    if (json.payload_type === type && Array.isArray(json.records)) json.records = change(json.records, json);
  });

const parentOf = (one: Json) => one.external_parent_id;

const isRing = (list: Json[]) => list.some((one) => parentOf(one) !== '' && parentOf(one) === one.external_id);

const INVALID = 'INVALID_ARGUMENT';

export const faults: readonly Fault[] = [
  {
    id: 'ing-unknown-source',
    rule: 'ING-9',
    breaks: 'an unknown source is refused',
    alter: refuses(INGEST, INVALID, (asked) => !/ingest\/(KEDO|LEDGER)/.test(asked.target)),
  },
  {
    id: 'ing-unknown-type',
    rule: 'ING-10',
    breaks: 'an unknown payload type is refused',
    alter: refuses(INGEST, INVALID),
  },
  {
    id: 'ing-crossed-pair',
    rule: 'ING-11',
    breaks: 'a payload type of the other source is refused',
    alter: refuses(INGEST, INVALID),
  },
  {
    id: 'ing-sources-mixed',
    rule: 'ING-23',
    breaks: 'one external id is one department, whatever its source',
    alter: both(
      async (asked, forward, memory) => {
        const title = parse(asked.body)?.records?.[0]?.Наименование;
        if (title) memory.notes.set('title', title);
        return forward(asked);
      },
      each(BOTH, (one, _asked, memory) => {
        if (/-kedo-/.test(one.department?.title ?? ''))
          one.department.title = memory.notes.get('title') ?? one.department.title;
      }),
    ),
  },
  {
    id: 'ing-unknown-left-out',
    rule: 'ING-25',
    breaks: 'a record with an unknown reference is applied without it',
    alter: forgetting((_name, value) => never.test(String(value))),
  },
  {
    id: 'ing-unknown-clears',
    rule: 'ING-25',
    breaks: 'a record with an unknown reference is applied, and the field emptied',
    alter: records((one) => {
      for (const [name, value] of Object.entries(one)) if (never.test(String(value))) one[name] = '';
    }),
  },
  {
    id: 'ing-unknown-skips-known',
    rule: 'ING-25',
    breaks: 'an unknown reference skips the record of a known object too',
    alter: records((one) => {
      if (Object.values(one).some((value) => never.test(String(value)))) one.external_id = 1;
    }),
  },
  {
    id: 'ing-parent-must-come-first',
    rule: 'ING-26',
    breaks: 'a parent that follows in the batch is unknown',
    alter: batches('DEPARTMENTS', (list) =>
      list.filter((one, at) => !list.slice(at + 1).some(({ external_id }) => external_id === parentOf(one))),
    ),
  },
  {
    id: 'ing-waits-for-reference',
    rule: 'ING-26',
    breaks: 'a record with an unknown reference is applied when a later batch brings it',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const type = parse(asked.body)?.payload_type;
      if (type === 'EMPLOYEES') memory.notes.set('waiting', asked);
      const waiting = memory.notes.get('waiting') as ProxiedRequest | undefined;
      if (type === 'DEPARTMENTS' && waiting) await forward(withNewKey(waiting));
      return answer;
    },
  },
  {
    id: 'ing-ring-accepted',
    rule: 'ING-50',
    breaks: 'a cycle of parents is cut and its departments applied',
    alter: batches('DEPARTMENTS', (list) =>
      isRing(list) ? list.map((one) => ({ ...one, external_parent_id: '' })) : list,
    ),
  },
  {
    id: 'ing-ring-spoils-batch',
    rule: 'ING-50',
    breaks: 'a cycle of parents spoils the batch',
    alter: bodies(INGEST, (json) => {
      if (json.payload_type === 'DEPARTMENTS' && isRing(json.records)) json.payload_type = 'NOTHING';
    }),
  },
  {
    id: 'ing-person-unknown',
    rule: 'ING-51',
    breaks: 'an employee is shown without a known person',
    alter: refuses(INGEST, INVALID),
  },
  {
    id: 'ing-no-person-skips-known',
    rule: 'ING-51',
    breaks: 'a record of a known employee that names no person is skipped',
    alter: records((one) => {
      if (one.external_person_id === null) one.external_id = 1;
    }),
  },
  {
    id: 'ing-ids-folded',
    rule: 'ING-52',
    breaks: 'external ids are compared without their case',
    alter: records((one) => {
      for (const name of Object.keys(one))
        if (/external_/.test(name) && typeof one[name] === 'string')
          one[name] = one[name].normalize('NFKC').toLowerCase().trim();
    }),
  },
  {
    id: 'ing-of-all-tenants',
    rule: 'ING-64',
    breaks: 'external ids of all tenants are one',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation === INGEST && keyOf(asked) === memory.key('other_tenant')) {
        const next = withNewKey(asked);
        setHeader(next, 'X-API-Key', memory.key('full'));
        await forward(next);
      }
      return answer;
    },
  },
];
