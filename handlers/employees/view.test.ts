import { expect, test } from '@jest/globals';
import { BSON } from 'mongodb';
import type { Employee } from '../../generated/client/types.gen.ts';
import { employeeRow } from '../../scripts/world/tenant.ts';
import { jsonText, objectFrom } from '../answers/json-bytes.ts';
import type { Layout, RawRow } from '../data/raw-row.ts';
import { employeeLayout, employeeWriter, personLayout } from './view.ts';

/** A row as the database sends it: the fields of the layout, in its own order. */
function sent<Field extends string>(layout: Layout<Field>, whole: object): RawRow<Field> {
  const asked = Object.entries(whole).filter(([name]) => name in layout.options.projection);
  return layout.row(Buffer.from(BSON.serialize(Object.fromEntries(asked))));
}

test('a stored day or time that no reader could hold is empty (D-2)', () => {
  const outside = { start_date: '0000-01-01', end_date: '2023-02-29', update_time: new Date('0000-12-31') };
  const status = 'EMPLOYEE_STATUS_TERMINATED';
  const row = { ...employeeRow({ tenant_id: 't1', person_id: 'p1' }), status, ...outside };
  const person = sent(personLayout, { _id: 'p1', birth_date: '0000-02-29' });
  const write = employeeWriter({ hidden: new Set() }, { person: new Map([['p1', person]]) });
  const { bytes } = jsonText<{ employee: Employee }>({ employee: objectFrom(sent(employeeLayout, row), write) });
  const shown = { start_date: '', end_date: '', update_time: '', person: { birth_date: '' } };
  expect(JSON.parse(bytes.toString()).employee).toMatchObject(shown);
});
