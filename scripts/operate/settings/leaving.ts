/** `tenants export`, `tenants delete`, `persons export` and `persons erase`: how data leave (D-35). */
import type { ErasureRow } from '../../../handlers/data/collections/erasures.ts';
import type { PersonRow } from '../../../handlers/data/collections/persons.ts';
import {
  ErasureHindered,
  erasePerson,
  erasureOf,
  erasurePlan,
  type Hindrance,
  STEP_NAMES,
} from '../../../handlers/leaving/person.ts';
import { personCopy } from '../../../handlers/leaving/person-copy.ts';
import { removeTenant } from '../../../handlers/leaving/tenant.ts';
import { EXIT, Failure, misuse, refuse } from '../../kit/command-line.ts';
import {
  type CommandContext,
  command,
  commandForAllTenants,
  type TenantContext,
  take,
  type ValueType,
} from './command.ts';
import { openExport } from './export-folder.ts';
import { find, kinds, tenant } from './lookup.ts';
import { storageFor } from './object-storage.ts';
import { same } from './shape.ts';
import { exportTenant } from './tenant-export.ts';
import { bytesOf, text } from './values.ts';
import { leftWork, leftWorkNote } from './waiting-documents.ts';

const reporter =
  ({ progress }: CommandContext) =>
  (line: string) =>
    progress?.write(`${line}\n`);

const yes = take.flag('do it: without it, or --dry-run, nothing is done');
const dryRun = take.flag('only say what would happen');
const to = take.required(text('folder'), 'a new folder, or that of an interrupted export of the same');

/** Refuses what cannot be undone unless it is meant. */
function mustBeMeant(isMeant: boolean, what: string): void {
  if (!isMeant) misuse(`${what} cannot be undone. Add --yes, or --dry-run to see what would happen.`);
}

export const exportOfTenant = commandForAllTenants({
  about: 'Write everything that a tenant has into a folder: each collection, every file, a manifest with digests.',
  isLong: true,
  json: same('id', 'name', 'folder', 'objects', 'files', 'size_bytes'),
  takes: { tenant: take.argument(tenant), to },
  note: `
An interrupted export continues with the same folder. Rows are written as they are stored, so the folder is as
confidential as the database. It finds files by STORAGE_DIR or S3_BUCKET and their variables.`,
  examples: ['tenants export "Тұлпар" --to tulpar-export'],
  async run(at, { tenant, to }) {
    const storage = await storageFor(at, [tenant._id]);
    const folder = await openExport(to, { kind: 'tenant', tenant_id: tenant._id });
    const written = await exportTenant({ store: at.store, storage, tenant, folder, progress: reporter(at) });
    const { _id: id, name } = tenant;
    return {
      of: { id, name, folder: to, ...written },
      text: `Exported the tenant ${name} (${id}): ${written.files} files in ${to}.`,
    };
  },
});

/** A tenant by id or name; also one whose deletion was interrupted, which has lost its row, by its id. */
const leavingTenant: ValueType<{ readonly _id: string; readonly name: string }> = {
  placeholder: 'tenant',
  about: 'id or exact name; of one whose deletion was interrupted, the id',
  async resolve(at: CommandContext, given) {
    const row = await at.store.tenants.findOne({ $or: [{ _id: given }, { name: given }] });
    if (row !== null) return row;
    const isBegun = await at.store.audit_entries.findOne({ tenant_id: given, command: 'tenants delete' });
    return isBegun === null
      ? (tenant.resolve?.(at as TenantContext, given) ?? misuse(''))
      : { _id: given, name: given };
  },
};

export const deletionOfTenant = commandForAllTenants({
  about: 'Delete a tenant with everything that it has, files too. Its keys stop working at once.',
  isLong: true,
  json: same('id', 'dry_run', 'removed'),
  takes: { tenant: take.argument(leavingTenant), yes, dryRun },
  note: `
Only the id and the entries of the audit log stay. Export it first. An interrupted deletion continues when the command
is repeated with the id. Running batches and deliveries of the tenant end.`,
  examples: ['tenants delete "Тұлпар" --dry-run', 'tenants delete TENANT_ID --yes'],
  async run(at, { tenant: { _id: id, name }, yes, dryRun }) {
    const { store } = at;
    if (dryRun) {
      const [employees, documents] = await Promise.all([
        store.employees.countDocuments({ tenant_id: id }),
        store.documents.countDocuments({ tenant_id: id }),
      ]);
      const of = { id, dry_run: true, removed: { employees, documents } };
      return { of, text: `Would delete the tenant ${name} (${id}): ${employees} employees, ${documents} documents.` };
    }
    mustBeMeant(yes, 'The deletion of a tenant');
    const storage = await storageFor(at, [id]);
    const say = reporter(at);
    const removed = await removeTenant(store, id, { storage, progress: (what, count) => say(`${what}: ${count}`) });
    return {
      of: { id, dry_run: false, removed },
      text: `Deleted the tenant ${name}. Only its id ${id} and the audit log stay.`,
    };
  },
});

/** A person, or one whose erasure has begun. */
interface LeavingPerson {
  readonly _id: string;
  readonly row: PersonRow | null;
  readonly erasure: ErasureRow | null;
}

/** By an id or an IIN; of an erasure that has begun, by the id. */
async function leavingPerson(at: TenantContext, given: string): Promise<LeavingPerson> {
  const erasure = await erasureOf(at.store, at.tenant._id, given);
  const row = await at.store.persons.findOne({ _id: given, tenant_id: at.tenant._id });
  if (erasure !== null) return { _id: given, row, erasure };
  const found = await find(at, kinds.person, given);
  return { _id: found._id, row: found, erasure: await erasureOf(at.store, at.tenant._id, found._id) };
}

const byId: ValueType<LeavingPerson> = { placeholder: 'id', about: 'id of the person', resolve: leavingPerson };

/** A file with the IIN of a person: so it stands neither in the history of a shell nor in a list of processes. */
const byIinFile: ValueType<LeavingPerson> = {
  placeholder: 'path',
  resolve: async (at, file) => leavingPerson(at, (await bytesOf(file)).toString().trim()),
};

const person = {
  person: take.optionalArgument(byId),
  personOf: take.optional(byIinFile, 'a file with the IIN of the person, instead of the id', 'iin-file'),
};

function oneOf(a: LeavingPerson | undefined, b: LeavingPerson | undefined): LeavingPerson {
  return a ?? b ?? misuse('Say who: an id, or --iin-file.');
}

export const exportOfPerson = command({
  about: 'Write what is kept of a person into a folder, and nothing of anybody else.',
  isLong: true,
  json: same('id', 'folder', 'files', 'size_bytes'),
  takes: { ...person, to },
  examples: ['persons export PERSON_ID --to export', 'persons export --iin-file iin.txt --to export'],
  note: `
It has JSON documents by the contract's names, PDFs of documents about this person alone, the signatures that it made,
and a manifest with digests, which also says what was left out, and why.`,
  async run(at, { person, personOf, to }) {
    const { _id: id, row } = oneOf(person, personOf);
    if (row === null) return refuse(`The person ${id} is erased.`);
    const copy = await personCopy(at.store, at.tenant._id, row);
    const storage = copy.files.length > 0 ? await storageFor(at, [at.tenant._id]) : undefined;
    const folder = await openExport(to, { kind: 'person', tenant_id: at.tenant._id, person_id: id });
    for (const [name, part] of Object.entries(copy.parts)) await folder.json(`${name}.json`, part);
    for (const { path, file } of copy.files) {
      const written = await folder.write(
        path,
        () => storage?.read(file.object) ?? refuse('Nothing says where files are.'),
      );
      if (written.sha256 !== file.object.sha256) refuse(`The bytes of the file ${file.file_id} are not as stored.`);
    }
    const written = await folder.finish({ left_out: copy.leftOut });
    return { of: { id, folder: to, ...written }, text: `Exported the person ${id}: ${written.files} files in ${to}.` };
  },
});

const HINDRANCES: Readonly<Record<keyof Hindrance, string>> = {
  active_slots: 'documents that wait for an act of the person',
  open_documents: 'documents of the person that circulate or were sent back',
  drafts_about_others: 'drafts that are about other persons too: delete them, or send them',
  waiting_batches: 'batches with the person that are not applied yet: repeat this when they are',
};

function linesOf(hindrance: Hindrance): string[] {
  return Object.entries(HINDRANCES).flatMap(([name, about]) => {
    const ids = hindrance[name as keyof Hindrance];
    return ids.length === 0 ? [] : [`  ${about}: ${ids.join(' ')}`];
  });
}

function hindered(error: unknown): never {
  if (!(error instanceof ErasureHindered)) throw error;
  const lines = linesOf(error.hindrance).join('\n');
  throw new Failure(EXIT.refused, `The person cannot be erased now. In the way are\n${lines}`);
}

export const erasureOfPerson = command({
  about: 'Erase a person: everything that is known of it goes, but for the evidence that docs/data.md lists.',
  isLong: true,
  json: same('id', 'dry_run', 'erased_at', 'employees', 'changed', 'in_the_way', 'same_iin'),
  takes: { ...person, yes, dryRun },
  note: `
Its employments are deleted (404, employee.deleted), its users lose their keys, drafts about it alone go with their
files. It is refused while something of the person is open. Killed at any point, it continues when it is repeated with
the id. If a source sends the person again later, that makes a new person.`,
  examples: ['persons erase PERSON_ID --dry-run', 'persons erase --iin-file iin.txt --yes'],
  async run(at, { person, personOf, yes, dryRun }) {
    const { _id: id, row, erasure } = oneOf(person, personOf);
    const base = {
      id,
      dry_run: dryRun,
      erased_at: erasure?.ended_at ?? null,
      employees: erasure?.employee_ids ?? [],
      changed: {},
      in_the_way: null,
      same_iin: [],
    };
    const work = { store: at.store, tenantId: at.tenant._id, personId: id, now: at.now };
    if (base.erased_at) return { of: base, text: `The person ${id} was erased before.` };
    if (dryRun) {
      if (row === null) return refuse(`There is nothing left of the person ${id} but the end of its erasure.`);
      const plan = await erasurePlan({ ...work, storage: undefined }, row);
      const { employee_ids: employees, bindings, users, drafts, hindrance: in_the_way, same_iin } = plan;
      const changed = { employments: employees.length, bindings, users: users.length, drafts: drafts.length };
      const inTheWay = linesOf(in_the_way);
      const lines = [
        `Would erase the person ${id}:`,
        ...Object.entries(changed).map(([name, count]) => `  ${name}: ${count}`),
        ...(inTheWay.length === 0 ? ['Nothing is in the way.'] : ['In the way are', ...inTheWay]),
      ];
      if (same_iin.length > 0) lines.push(`Others with the same IIN, to be erased too: ${same_iin.join(' ')}`);
      return { of: { ...base, employees, changed, in_the_way, same_iin }, text: lines.join('\n') };
    }
    mustBeMeant(yes, 'The erasure of a person');
    const storage = await storageFor(at, [at.tenant._id]);
    const say = reporter(at);
    const progress = (step: string, number: number, count?: number) =>
      say(`${number}/${STEP_NAMES.length} ${step}${count === undefined ? '' : `: ${count}`}`);
    const changed = await erasePerson({ ...work, storage, progress }).catch(hindered);
    const { employee_ids: employees = [], ended_at: erased_at = null } =
      (await erasureOf(at.store, at.tenant._id, id)) ?? {};
    const left = await leftWork(at, employees);
    const notes = employees.map((employee) => leftWorkNote(employee, left(employee)));
    const of = { ...base, employees, erased_at, changed };
    return { of, text: `Erased the person ${id}. What stays as evidence: docs/data.md.${notes.join('')}` };
  },
});
