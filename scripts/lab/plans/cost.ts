/** Measures what a call costs the database, and makes the owners who call. */
import type { PermissionProfile } from '../../../handlers/data/collections/users.ts';
import { filterValues } from '../../../handlers/data/list.ts';
import { openStore, type Store } from '../../../handlers/data/store.ts';
import { listDocuments } from '../../../handlers/documents/listDocuments.ts';
import { employeeFilters } from '../../../handlers/employees/list.ts';
import { listEmployees } from '../../../handlers/employees/listEmployees.ts';
import { median, percentile } from '../../kit/statistics.ts';
import { TenantFixture, tokens } from '../../world/documents.ts';
import { examinedBy, type SentCommand, watchCommands } from '../../world/examined.ts';
import { plainAnswer } from '../../world/plain-answer.ts';
import type { Measuring } from '../bench/measuring.ts';
import { figure, type Row } from '../scenario.ts';

const LIMIT = 100;
/** In a large tenant, a command may take long. */
const TIMEOUT_MS = 60 * 60 * 1000;

type Call = () => Promise<readonly unknown[]>;

/** The permission profile of the caller. */
export type Profile = Partial<PermissionProfile>;

/** Measures what calls cost the database, which itself reports what it examined, by an `explain` of each command. */
export type Costs = ReturnType<typeof costsOn>;

function costsOn(store: Store, take: () => readonly SentCommand[], { say, size }: Measuring) {
  const rows: Row[] = [];
  return {
    store,
    rows,

    /** Runs a call and records what it costs. @param cool makes the database forget the plans of earlier calls */
    async measure(label: string, call: Call, cool: () => Promise<unknown> = async () => {}): Promise<void> {
      say(label);
      const times: number[] = [];
      let found = 0;
      let refusal = '';
      for (let round = 0; round < size('rounds'); round++) {
        if (size('warm') === 0) await cool();
        take();
        const startedAt = performance.now();
        await call().then(
          ({ length }) => {
            found = length;
          },
          (error: { code?: unknown; errorName?: unknown }) => {
            refusal = `, ${String(error.errorName ?? error.code ?? error)}`;
          },
        );
        times.push(performance.now() - startedAt);
      }
      let [keys, documents] = [0, 0];
      for (const sent of take()) {
        const examined = await examinedBy(store.client, sent);
        keys += examined.keys;
        documents += examined.documents;
      }
      const figures = [
        figure('median', median(times), 'ms'),
        figure('p99', percentile(times, 0.99), 'ms'),
        figure('rows', found, ''),
        figure('keys', keys, ''),
        figure('documents', documents, ''),
      ];
      rows.push({ label: label + refusal, figures });
    },
  };
}

/** Measures on a connection of its own, whose commands are recorded. @returns what was measured, and what the work adds */
export async function measured(options: Measuring, work: (costs: Costs) => Promise<readonly Row[]>): Promise<Row[]> {
  const take = watchCommands();
  const { uri, name } = options.place.database;
  const store = await openStore(uri, name, TIMEOUT_MS, TIMEOUT_MS);
  try {
    const costs = costsOn(store, take, options);
    const more = await work(costs);
    return [...costs.rows, ...more];
  } finally {
    await store.close();
  }
}

/** Calls lists as an owner with this profile would. @param employeeId the owner's employee, if there is one */
export async function asOwner(store: Store, tenantId: string, profile: Profile, employeeId = '') {
  const tenant = new TenantFixture(store, tenantId, '');
  const caller = await (await tenant.owner({ documents: 'all', ...profile }, employeeId)).caller();
  const asked = (query: object) => ({ caller, query: { limit: LIMIT, ...query } }) as never;
  return {
    /**
     * The token of the last page of a list of employees.
     * @param filter the condition that the query means
     * @returns undefined if there is only one page
     */
    async lastPage(query: object, filter: object): Promise<string | undefined> {
      const [before] = await store.employees
        .find({ ...filter, tenant_id: tenantId, listed: true })
        .sort({ create_time: 1, _id: 1 })
        .skip(LIMIT)
        .limit(1)
        .toArray();
      if (before === undefined) return undefined;
      const position = { createTimeMs: before.create_time.getTime(), id: before._id };
      const { meanings: filters } = filterValues(employeeFilters, query);
      return tokens.seal({ list: 'listEmployees', tenantId, filters }, LIMIT, position);
    },
    employees:
      (query: object): Call =>
      async () =>
        plainAnswer(await listEmployees(asked(query))).employees,
    documents:
      (query: object): Call =>
      async () =>
        plainAnswer(await listDocuments(asked(query))).documents,
  };
}
