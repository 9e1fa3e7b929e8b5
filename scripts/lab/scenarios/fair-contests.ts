/**
 * The things that tenants share, one by one: how the greedy tenant requests each, and what the patient tenant waits
 * for.
 */
import { gzipSync } from 'node:zlib';
import { HAS_EVENTS } from '../../../handlers/data/collection.ts';
import { eventually } from '../../kit/eventually.ts';
import { randomOf } from '../../kit/random.ts';
import { arrival, hireEmployees } from '../actors/changes.ts';
import { applied } from '../actors/load.ts';
import { insertDocuments, inventDocuments } from '../plans/tenants.ts';
import { once } from '../run/run.ts';
import { type Body, type FairTenant, type FairTenants, heavyValues, mustAsk, upload } from './fair-tenants.ts';

/** A request: a GET without a body, or a POST with one. */
interface ContestRequest {
  readonly path: string;
  readonly body?: Body;
  /** Present if the body is given in that coding. */
  readonly coding?: 'gzip';
}

/** One thing that tenants share. */
export interface Contest {
  readonly name: string;
  /** How many times as long as alone the patient tenant may wait, if that is not twice. */
  readonly mostRatio?: number;
  /** How often per second the greedy tenant sends a request at most; it does not wait for answers. */
  readonly perSecond: number;
  /** Writes, once, the data that both tenants need. */
  prepare?(tenants: FairTenants): Promise<void>;
  /** The nth request of the greedy tenant, whose client is a separate process; its result does not matter. */
  asks?(side: FairTenant, nth: number): ContestRequest;
  /** Used instead of `asks`: one action of the greedy tenant that costs a client almost nothing. */
  greedy?(tenants: FairTenants): Promise<unknown>;
  /** Prepares what the patient tenant needs each time; this is not measured. */
  before?(tenants: FairTenants): Promise<void>;
  /** One request of the patient tenant, until it is done. @throws Error when it is refused */
  patient(tenants: FairTenants, nth: number): Promise<unknown>;
  /** Removes what is left of the greedy tenant's requests. */
  clear?(tenants: FairTenants): Promise<void>;
}

const MIB = 1024 * 1024;
/** How many uploads the greedy tenant has ready for each round. */
const LARGE_UPLOADS = 30;
const PDF_START = new TextEncoder().encode('%PDF-1.7\n');
/** A body of about this many MiB that is accepted, but whose records are skipped. */
function unknownBatch(mib: number): Uint8Array<ArrayBuffer> {
  const note = 'x'.repeat(990);
  const record = { external_id: 'X', first: note, second: note, third: note };
  return bytesOf({ payload_type: 'UNKNOWN', records: Array.from({ length: 330 * mib }, () => record) });
}

const EXPANDED = 'expand=person&expand=manager&expand=department&expand=job_title&include_total=true';
const RESERVED = { filename: 'f.pdf', content_type: 'application/pdf', size_bytes: 1_000 };
const GIVEN_UP_MS = 60_000;

function pdfOf(bytes: number): Uint8Array<ArrayBuffer> {
  const pdf = new Uint8Array(bytes);
  pdf.set(PDF_START);
  return pdf;
}

/** @param values the values of the template's variables */
function documentOf({ typeId: type_id }: FairTenant, template_id: string, values: object): object {
  return { title: 'Справка', type_id, template_id, template_values: values };
}

/** Uploads that are waiting for their confirmation. */
class Uploads {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #ids: string[] = [];

  constructor(bytes: number) {
    this.#bytes = pdfOf(bytes);
  }

  async fill(tenants: FairTenants, side: FairTenant, count: number): Promise<void> {
    while (this.#ids.length < count) this.#ids.push(await upload(tenants, side, this.#bytes));
  }

  async confirm(tenants: FairTenants, side: FairTenant): Promise<unknown> {
    const id = this.#ids.pop();
    return id && mustAsk(tenants, side, `/files/${id}/_confirm`, {});
  }
}

const [largeUploads, smallUploads] = [new Uploads(20 * MIB), new Uploads(100 * 1024)];

const personRecord = (nth: number, last_name = 'Сейітова') => ({
  external_id: `P${nth}`,
  first_name: 'Айгүл',
  last_name,
});

const bytesOf = (value: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));

const batch = (records: readonly object[]) => ({ payload_type: 'PERSONS', create_missing: true, records });

const largeBody = once(() => unknownBatch(30));
const smallBody = once(() => unknownBatch(3));
const personsNamed = (name: string) =>
  bytesOf(batch(Array.from({ length: 5_000 }, (_, nth) => personRecord(nth, name))));
const manyPersons = once(() => personsNamed('Сейітова'));
const renamedPersons = once(() => personsNamed('Омарова'));
const numbers = once(() => gzipSync(`{"title":[${'1e0,'.repeat(MIB / 4 - 10)}1]}`));
const lineFeeds = once(() => gzipSync(`${'\n'.repeat(32 * MIB - 10)}x`));
const heavyDocument = once((side: FairTenant) => bytesOf(documentOf(side, side.heavyTemplateId, heavyValues())));

/** Changes an employee, and waits until the receiver has the event. */
async function delivered({ world, patient }: FairTenants): Promise<void> {
  const [employee] = await hireEmployees(world.store, patient.id, 1);
  await arrival(world.receiver, employee?._id ?? '', GIVEN_UP_MS);
}

/** Subscribes receivers of the greedy tenant and one of the patient tenant, instead of those of an earlier contest. */
async function subscribe({ world, greedy, patient }: FairTenants, count: number, pathOf: (slot: number) => string) {
  world.receiver.manners.set('hang', { status: 204, hangs: true });
  await world.store.webhook_endpoints.deleteMany({ tenant_id: { $in: [greedy.id, patient.id] } });
  for (let slot = 0; slot < count; slot++) await world.hook(greedy.id, pathOf(slot), slot);
  await world.hook(patient.id, '/patient', 0);
}

/** Cancels what is left to deliver to the greedy tenant, and closes its hanging requests. */
async function dropDeliveries({ world: { store, receiver }, greedy: { id: tenant_id } }: FairTenants) {
  const cancelled = { $set: { status: 'CANCELLED', next_at: null, ended_at: new Date() } } as const;
  const waiting = () => store.employees.findOne({ tenant_id, ...HAS_EVENTS });
  await eventually('the last event', async () => (await waiting()) === null, GIVEN_UP_MS);
  await store.deliveries.updateMany({ tenant_id, status: 'PENDING' }, cancelled);
  for (const socket of receiver.open) socket.destroy();
}

/** The patient tenant sends this request. */
const asking =
  (path: string, body?: Body): Contest['patient'] =>
  (tenants) =>
    mustAsk(tenants, tenants.patient, path, body);

/** All contests. */
export const contests: readonly Contest[] = [
  {
    name: 'lists',
    perSecond: 40,
    asks: () => ({ path: `/employees?limit=1000&${EXPANDED}` }),
    patient: asking(`/employees?limit=1000&${EXPANDED}`),
  },
  {
    // Searches for text that none has, of parts that many have.
    name: 'searches',
    perSecond: 40,
    async prepare({ world: { store }, greedy, patient }) {
      for (const [{ id: tenantId, typeId, initiator }, count] of [
        [greedy, 50_000],
        [patient, 1_000],
      ] as const) {
        const setting = { tenantId, count, types: [typeId], rare: typeId, employees: [initiator.employeeId] };
        await insertDocuments(store, inventDocuments({ ...setting, random: randomOf(tenantId) }), 1_000);
      }
    },
    asks: () => ({ path: `/documents?search=${encodeURIComponent('оглашение к труду')}` }),
    patient: asking(`/documents?search=${encodeURIComponent('о командировке')}`),
  },
  {
    name: 'writes',
    perSecond: 100,
    asks: () => ({ path: '/files', body: RESERVED }),
    patient: asking('/files', RESERVED),
  },
  {
    // Documents of a template with 200 rows of different letters, and of one with one line.
    name: 'printing',
    perSecond: 20,
    asks: (side) => ({ path: '/documents', body: heavyDocument(side) }),
    patient: (tenants, nth) =>
      mustAsk(
        tenants,
        tenants.patient,
        '/documents',
        documentOf(tenants.patient, tenants.patient.smallTemplateId, { text: `Справка ${nth}` }),
      ),
  },
  {
    // Ingest requests of 30 MiB and of 3 MiB, whose records are of a type that nobody knows.
    name: 'bodies',
    perSecond: 3,
    asks: () => ({ path: '/ingest/KEDO', body: largeBody() }),
    patient: (tenants) => mustAsk(tenants, tenants.patient, '/ingest/KEDO', smallBody()),
    clear: dropBatches,
  },
  {
    // Creations with 260,000 numbers, in 1 KB of gzip.
    name: 'numbers',
    perSecond: 10,
    asks: () => ({ path: '/documents', body: numbers(), coding: 'gzip' }),
    patient: asking('/employees?limit=1'),
  },
  {
    // Ingest requests of 32 MiB of line feeds, in 32 KB of gzip.
    name: 'line feeds',
    perSecond: 3,
    asks: () => ({ path: '/ingest/KEDO', body: lineFeeds(), coding: 'gzip' }),
    patient: asking('/employees?limit=1'),
  },
  {
    name: 'ingest',
    perSecond: 5,
    asks: (_, nth) => ({ path: '/ingest/KEDO', body: nth % 2 ? manyPersons() : renamedPersons() }),
    async patient(tenants, nth) {
      const { ingest_request_id } = await mustAsk(tenants, tenants.patient, '/ingest/KEDO', batch([personRecord(nth)]));
      await applied(tenants.world.store, [ingest_request_id], GIVEN_UP_MS);
    },
    clear: dropBatches,
  },
  {
    // Changes of employees that 50 receivers want, of which half hang.
    name: 'deliveries',
    perSecond: 2,
    prepare: (tenants) => subscribe(tenants, 50, (slot) => `/${slot % 2 ? 'hang' : 'good'}/${slot}`),
    greedy: ({ world, greedy }) => hireEmployees(world.store, greedy.id, 5),
    patient: delivered,
    clear: dropDeliveries,
  },
  {
    // 500 receivers, of which none answers.
    name: 'silent receivers',
    perSecond: 1,
    mostRatio: 1.2,
    prepare: (tenants) => subscribe(tenants, 500, (slot) => `/hang/${slot}`),
    greedy: ({ world, greedy }) => hireEmployees(world.store, greedy.id, 1),
    patient: delivered,
    clear: dropDeliveries,
  },
  {
    name: 'confirmations',
    perSecond: 5,
    prepare: (tenants) => largeUploads.fill(tenants, tenants.greedy, LARGE_UPLOADS),
    before: (tenants) => smallUploads.fill(tenants, tenants.patient, 1),
    greedy: (tenants) => largeUploads.confirm(tenants, tenants.greedy),
    patient: (tenants) => smallUploads.confirm(tenants, tenants.patient),
    clear: (tenants) => largeUploads.fill(tenants, tenants.greedy, LARGE_UPLOADS),
  },
];

async function dropBatches({ world: { store }, greedy: { id: tenant_id } }: FairTenants): Promise<void> {
  const waiting = await store.ingest_requests.find({ tenant_id, status: 'ACCEPTED' }).toArray();
  await store.ingest_requests.deleteMany({
    tenant_id,
    _id: { $in: waiting.map(({ _id }) => _id) },
    status: 'ACCEPTED',
  });
  const isQuiet = async () => (await store.ingest_requests.findOne({ tenant_id, ended_at: null })) === null;
  await eventually('the last batch', isQuiet, GIVEN_UP_MS);
}
