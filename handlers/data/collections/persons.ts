import type { Person } from '../../../generated/client/types.gen.ts';
import { type CollectionDeclaration, outboxIndex, outboxPoll, query, SHARD_KEY } from '../collection.ts';
import type { RowLife } from '../field-life.ts';

export interface PersonRow {
  _id: string;
  tenant_id: string;
  first_name: string;
  last_name: string;
  middle_name: string;
  birth_date: string;
  iin: string;
  personal_email: string;
  phone: string;
  create_time: Date;
  update_time: Date;
  /** Grows by one with each change of what is shown; see `EmployeeRow`. */
  rev: number;
  /** The revision that last changed a name or the IIN. */
  identity_rev: number;
  /** When the person last changed, while its employments may lack the change; otherwise null. */
  outbox_at: Date | null;
  /** JSON text of an object with data that the interface never shows, such as papers; `''` for none. */
  details: string;
}

export const personLife = {
  first_name: 'hideable, removed',
  last_name: 'hideable, removed',
  middle_name: 'hideable, removed',
  birth_date: 'hideable, removed',
  iin: 'hideable, removed',
  personal_email: 'hideable, removed',
  phone: 'hideable, removed',
  create_time: 'copied, removed',
  update_time: 'copied, removed',
  rev: 'internal, removed',
  identity_rev: 'internal, removed',
  outbox_at: 'internal, removed',
  details: 'copied, removed',
} satisfies RowLife<PersonRow, Person>;

export const persons: CollectionDeclaration<PersonRow, Person> = {
  keeps: {
    holds: 'persons: names, IIN, birth date, contacts',
    until: 'the person is erased or the tenant deleted',
    because: 'the employer decides how long it needs them',
  },
  life: personLife,
  indexes: [
    { key: SHARD_KEY, serves: [query.find('settings: persons')] },
    outboxIndex('persons whose employments have to follow'),
  ],
  shardKey: SHARD_KEY,
  polls: [outboxPoll('persons whose employments have to follow')],
};
