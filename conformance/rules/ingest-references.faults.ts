/** Faults that the rules of ingest-references.rules.ts must catch. */
import { after, bodies, everything, type Json, keyOf, parse, refuses, withHeader } from '../mutation/alter.ts';
import { forgetting, inBatches, inCards, inRecords } from '../mutation/alter-ingest.ts';
import { withNewKey } from '../mutation/alter-lists.ts';
import { type Alter, type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

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
  ...faultsOf({
    'ING-9': {
      'ing-unknown-source': [
        'an unknown source is refused',
        refuses(INGEST, INVALID, (asked) => !/ingest\/(KEDO|LEDGER)/.test(asked.target)),
      ],
      'ing-unknown-type': ['an unknown payload type is refused', refuses(INGEST, INVALID)],
      'ing-crossed-pair': ['a payload type of the other source is refused', refuses(INGEST, INVALID)],
    },
    'ING-25': {
      'ing-unknown-left-out': [
        'a record with an unknown reference is applied without it',
        forgetting((_name, value) => never.test(String(value))),
      ],
    },
    'ING-26': {
      'ing-parent-must-come-first': [
        'a parent that follows in the batch is unknown',
        batches('DEPARTMENTS', (list) =>
          list.filter((one, at) => !list.slice(at + 1).some(({ external_id }) => external_id === parentOf(one))),
        ),
      ],
      'ing-waits-for-reference': [
        'a record with an unknown reference is applied when a later batch brings it',
        after(everything, async (answer, asked, memory, forward) => {
          const type = parse(asked.body)?.payload_type;
          if (type === 'EMPLOYEES' && asked.body.includes('-later-')) memory.notes.set('waiting', asked);
          const waiting = memory.notes.get('waiting') as ProxiedRequest | undefined;
          if (type === 'DEPARTMENTS' && waiting) await forward(withNewKey(waiting));
          return answer;
        }),
      ],
    },
    'ING-50': {
      'ing-ring-accepted': [
        'a cycle of parents is cut and its departments applied',
        batches('DEPARTMENTS', (list) =>
          isRing(list) ? list.map((one) => ({ ...one, external_parent_id: '' })) : list,
        ),
      ],
    },
    'ING-64': {
      'ing-of-all-tenants': [
        'external ids of all tenants are one',
        after(everything, async (answer, asked, memory, forward) => {
          if (asked.operation === INGEST && keyOf(asked) === memory.key('other_tenant')) {
            await forward(withHeader(withNewKey(asked), 'X-API-Key', memory.key('full')));
          }
          return answer;
        }),
      ],
    },
  }),
  inCards('ing-sources-mixed', 'ING-23', 'one external id is one department, whatever its source', (one, { notes }) => {
    if (/-ledger-/.test(one.department?.title)) one.department.id = notes.get('id') ?? one.department.id;
    if (/-ledger-/.test(one.department?.title)) one.department_id = one.department.id;
    if (/-kedo-/.test(one.department?.title)) notes.set('id', one.department_id);
  }),
  inRecords(
    'ing-unknown-clears',
    'ING-25',
    'a record with an unknown reference is applied, and the field emptied',
    (one) => {
      for (const [name, value] of Object.entries(one)) if (never.test(String(value))) one[name] = '';
    },
  ),
  inRecords(
    'ing-unknown-skips-known',
    'ING-25',
    'an unknown reference skips the record of a known object too',
    (one) => {
      if (Object.values(one).some((value) => never.test(String(value)))) one.external_id = 1;
    },
  ),
  inBatches('ing-ring-spoils-batch', 'ING-50', 'a cycle of parents spoils the batch', (json) => {
    if (json.payload_type === 'DEPARTMENTS' && isRing(json.records)) json.payload_type = 'NOTHING';
  }),
  inRecords('ing-ids-folded', 'ING-23', 'external ids are compared without their case', (one) => {
    for (const name of Object.keys(one))
      if (/external_/.test(name) && typeof one[name] === 'string')
        one[name] = one[name].normalize('NFKC').toLowerCase().trim();
  }),
];
