/** Faults that the rules of ingest-records.rules.ts must catch. */
import { asking, bodies, counted, refuses } from '../mutation/alter.ts';
import { allAlone, inBatches, records } from '../mutation/alter-ingest.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const INGEST = 'ingestRecords';

const always = (value: boolean) => asking(INGEST, 'create_missing', value);

const nothing = bodies(INGEST, (json) => {
  if (Array.isArray(json.records)) {
    json.payload_type = 'NOTHING';
  }
});

export const faults: readonly Fault[] = [
  ...faultsOf({
    'ING-19': { 'ing-always-creates': ['create_missing is always true', always(true)] },
    'ING-27': {
      'ing-unknown-field': [
        'an unknown field is refused',
        refuses(
          INGEST,
          'INVALID_ARGUMENT',
          (asked) => asked.body.length > 0 && !/"external_id":"nobody/.test(asked.body.toString()),
        ),
      ],
    },
    'ING-42': { 'ing-bad-spoils-all': ['a bad record spoils its batch', nothing] },
    'ING-71': {
      'ing-deleted-returns': { breaks: 'a record brings a deleted employee back', alone: true, alter: always(true) },
      'ing-deleted-for-ever': {
        breaks: 'nobody can be loaded again under the external id of a deleted employee',
        alone: true,
        alter: records((one, batch, memory) => {
          if (!/-doomed$/.test(String(one.external_id))) return;
          if (counted(memory, 'made') > 1) batch.create_missing = false;
        }),
      },
    },
    'ING-87': {
      'ing-longest-in-units': [
        'texts are measured in units of UTF-16',
        records((one) => {
          for (const [name, value] of Object.entries(one))
            if (typeof value === 'string' && value.length > 1000) one[name] = 7;
        }),
      ],
      'ing-longest-cut': [
        'texts are cut at 900 characters',
        records((one) => {
          for (const name of ['first_name', 'last_name'])
            if (one[name]) one[name] = [...one[name]].slice(0, 900).join('');
        }),
      ],
      'ing-longest-id': [
        'an external id may have 254 characters',
        records((one) => {
          if (String(one.external_id).length > 254) one.external_id = null;
        }),
      ],
    },
  }),
  ...allAlone(
    inBatches(
      'ing-person-creates',
      'ING-19',
      'a record with a new person makes it although create_missing is false',
      (json) => {
        if (json.payload_type === 'EMPLOYEES_FULL') json.create_missing = true;
      },
    ),
  ),
  inBatches('ing-default-true', 'ING-19', 'create_missing is true when it is left out', (json) => {
    json.create_missing ??= true;
  }),
];
