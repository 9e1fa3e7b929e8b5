/** Each fact that a later write relies on ceases to hold after its check; then each later write does what its table says. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { ErrorName } from '../../../generated/contract.ts';
import { type Owner, TenantFixture } from '../../../scripts/world/documents.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import { ApiError } from '../../answers/errors.ts';
import { confirmFile } from '../../files/confirmFile.ts';
import { now } from '../../runtime/clock.ts';
import { uploadKey } from '../../storage/storage.ts';
import { createDocument } from '../createDocument.ts';
import { sendDocument } from '../sendDocument.ts';
import { setDocumentRoute } from '../setDocumentRoute.ts';
import { signDocument } from '../signDocument.ts';
import { changeDocument, reachedBy } from './change.ts';
import type { RefusedFor } from './relied-on.ts';

const { store } = await testDeployment();
let fixture: TenantFixture;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
});

/** By the later write: the error with which it refuses, because it checks again; `''` where it is made as before. */
type Later<Write extends string> = Readonly<Record<Write, ErrorName | ''>>;

/** A document keeps what it was created with, whatever becomes of that (D-16); what is signed is the bytes of its PDF. */
const keeps = { set_route: '', send: '', act: '' } as const;
const creation = {
  // A document that was sent is its participants’: they end what the initiator began.
  initiator_there: { set_route: 'DOCUMENT_ACTION_NOT_ALLOWED', send: 'DOCUMENT_ACTION_NOT_ALLOWED', act: '' },
  type_seen: keeps,
  type_active: keeps,
  type_for_api: keeps,
  type_for_upload: keeps,
  template_of_type: keeps,
  template_active: keeps,
  template_version: keeps,
  organization: keeps,
  // Who has left stays whom the document is about; a subject acts in nothing.
  subject_seen: keeps,
} as const satisfies Readonly<Record<string, Later<'set_route' | 'send' | 'act'>>>;

const ROUTE_AGAIN = 'DOCUMENT_INVALID_STATUS_TRANSITION';
const route = {
  participant_there: { send: ROUTE_AGAIN, act: 'INVALID_ARGUMENT', give_on: 'INVALID_ARGUMENT' },
  // A participant sees the document that was sent by the slot, and not by the initiator’s view.
  participant_seen: { send: ROUTE_AGAIN, act: '', give_on: 'INVALID_ARGUMENT' },
  // Nothing but a new route changes who stands in a step before the sending; who acts has one slot in each step.
  participant_once: { send: '', act: '', give_on: 'INVALID_ARGUMENT' },
} as const satisfies Readonly<Record<string, Later<'send' | 'act' | 'give_on'>>>;

const key = {
  owner_there: { request: 'API_KEY_INVALID', ingest: 'API_KEY_INVALID' },
  // Only ingest needs it (D-31).
  owner_super_admin: { request: '', ingest: 'SCOPE_INSUFFICIENT' },
  // A key works for its owner; it notes that a super-administrator made it, which it was right to do then (D-31).
  creator_super_admin: { request: '', ingest: '' },
} as const satisfies Readonly<Record<string, Later<'request' | 'ingest'>>>;

const reservation = {
  reserved_by_owner: { confirm: 'FILE_NOT_FOUND', create: 'FILE_NOT_FOUND' },
  // The confirmation has pinned the object, which nothing changes any more (D-23).
  size_reserved: { confirm: 'FILE_SIZE_MISMATCH', create: '' },
} as const satisfies Readonly<Record<string, Later<'confirm' | 'create'>>>;

const reliedOn = { ...creation, ...route, ...key, ...reservation } satisfies Readonly<Record<RefusedFor, object>>;
type Check = keyof typeof reliedOn;
type Write = 'set_route' | 'send' | 'act' | 'give_on' | 'request' | 'ingest' | 'confirm' | 'create';

const TERMINATED = { status: 'EMPLOYEE_STATUS_TERMINATED' } as const;
const leave = (_id: string) => store.employees.updateOne({ _id }, { $set: TERMINATED });

async function madeWorld() {
  const [initiator, signer, beside] = [await fixture.owner(), await fixture.owner(), await fixture.owner()];
  await store.users.updateOne({ _id: initiator.userId }, { $set: { super_admin: true } });
  const type = await fixture.type();
  const template = await fixture.template(type, []);
  const organization = randomUUID();
  const row = { _id: organization, tenant_id: fixture.id, title: 'ТОО', create_time: now(), update_time: now() };
  await store.organizations.insertOne(row);
  const [subject, to, upload] = [await fixture.employee(), await fixture.employee(), await fixture.upload(initiator)];
  return { initiator, signer, beside, type, template, organization, subject, to, upload, document: '' };
}
type World = Awaited<ReturnType<typeof madeWorld>>;

const errorOf = async (outcome: Promise<{ readonly error: string }>) => (await outcome).error;
const pathOf = ({ document }: World) => ({ document_id: document });

function create({ initiator, ...world }: World, source: object) {
  const { type: type_id, organization: organization_id, subject } = world;
  const named = { organization_id, subject_employee_ids: [subject] };
  return initiator.call(createDocument, { body: { title: 'Приказ', type_id, ...named, ...source } });
}

/** The later writes, each on a world that is ready for it. They return the name of the error; `''` if it is done. */
const writes: Readonly<Record<Write, (world: World) => Promise<string>>> = {
  set_route(world) {
    const participants = [world.signer, world.beside].map(({ employeeId }) => ({ employee_id: employeeId }));
    const steps = [{ step_type: 'STEP_TYPE_SIGNING', participants }];
    return errorOf(world.initiator.call(setDocumentRoute, { path: pathOf(world), body: { steps } }));
  },
  send: (world) => errorOf(world.initiator.call(sendDocument, { path: pathOf(world) })),
  act: (world) => errorOf(world.signer.call(signDocument, { path: pathOf(world), body: {} })),
  async give_on({ initiator, signer, document, to }) {
    const slot = (await store.documents.findOne({ _id: document }))?.route?.steps[0]?.participants[0];
    const act = { kind: 'give_on', by: signer.employeeId, participantId: slot?.id ?? '', to } as const;
    return changeDocument(reachedBy(await initiator.caller(), document), act).then(
      () => '',
      (error) => (error instanceof ApiError ? error.errorName : Promise.reject(error)),
    );
  },
  request: ({ initiator }) =>
    initiator.caller().then(
      () => '',
      () => 'API_KEY_INVALID',
    ),
  async ingest(world) {
    const error = await writes.request(world);
    const may = error === '' && (await world.initiator.caller()).scopes.has('ingest:write');
    return error === '' && !may ? 'SCOPE_INSUFFICIENT' : error;
  },
  confirm: ({ initiator, upload }) => errorOf(initiator.call(confirmFile, { path: { file_id: upload }, body: {} })),
  create: (world) => errorOf(create(world, { file_id: world.upload })),
};

/** What comes before each later write. */
async function readyFor(write: Write): Promise<World> {
  const world = await madeWorld();
  const status = 'FILE_UPLOAD_STATUS_RESERVED' as const;
  if (write === 'confirm') await store.files.updateOne({ _id: world.upload }, { $set: { status, object: null } });
  const before = { set_route: 0, send: 1, act: 2, give_on: 2 }[write as string];
  if (before === undefined) return world;
  const { answer } = await create(world, { template_id: world.template });
  world.document = answer?.document.id ?? '';
  for (const one of (['set_route', 'send'] as const).slice(0, before)) expect(await writes[one](world)).toBe('');
  if (write === 'give_on') await leave(world.signer.employeeId);
  return world;
}

const typeIs = (set: object) => (world: World) => store.document_types.updateOne({ _id: world.type }, { $set: set });
const templateIs = (set: object) => (world: World) =>
  store.document_templates.updateOne({ _id: world.template }, { $set: set });
const userIs = (set: object) => (world: World) => store.users.updateOne({ _id: world.initiator.userId }, { $set: set });

/** How each fact ceases to hold. */
const broken: Readonly<Record<Check, (world: World, write: Write) => Promise<unknown>>> = {
  initiator_there: ({ initiator }) => leave(initiator.employeeId),
  type_seen: userIs({ 'profile.document_types': [] }),
  type_active: typeIs({ status: 'ARCHIVED' }),
  type_for_api: typeIs({ allow_api: false }),
  type_for_upload: typeIs({ allow_upload: false }),
  template_of_type: templateIs({ type_id: randomUUID() }),
  template_active: templateIs({ status: 'ARCHIVED' }),
  template_version: ({ template: template_id }) => store.document_template_versions.deleteMany({ template_id }),
  organization: ({ organization: _id }) => store.organizations.deleteOne({ _id }),
  subject_seen: ({ subject }) => leave(subject),
  participant_there: ({ signer, to }, write) => leave(write === 'give_on' ? to : signer.employeeId),
  participant_seen: userIs({ 'profile.employees.all': false }),
  async participant_once(world) {
    world.to = world.beside.employeeId;
  },
  owner_there: userIs({ removed_at: now() }),
  owner_super_admin: userIs({ super_admin: false }),
  creator_super_admin: () => store.users.updateOne({ _id: fixture.ownerId }, { $set: { super_admin: false } }),
  reserved_by_owner: ({ upload, beside }) =>
    store.files.updateOne({ _id: upload }, { $set: { owner_id: beside.userId } }),
  async size_reserved({ upload }) {
    fixture.storage.upload(uploadKey(fixture.id, upload), '%PDF-1.7 larger than it was reserved');
  },
};

const cells = Object.entries(reliedOn).flatMap(([check, later]) =>
  Object.entries(later).map(([write, error]) => [check as Check, write as Write, error] as const),
);

test.each(cells)('%s ceases to hold, then %s', async (check, write, error) => {
  const world = await readyFor(write);
  await broken[check](world, write);
  expect(await writes[write](world)).toBe(error);
});

test('the own manager of an initiator who sees nobody may be chosen, until the manager leaves', async () => {
  const world = await readyFor('set_route');
  const { initiator, signer, beside } = world;
  await userIs({ 'profile.employees.all': false })(world);
  await store.employees.updateOne({ _id: initiator.employeeId }, { $set: { manager_id: signer.employeeId } });
  const only = ({ employeeId }: Owner) => {
    const steps = [{ step_type: 'STEP_TYPE_SIGNING', participants: [{ employee_id: employeeId }] }];
    return errorOf(initiator.call(setDocumentRoute, { path: pathOf(world), body: { steps } }));
  };
  expect(await only(beside)).toBe('INVALID_ARGUMENT');
  expect(await only(signer)).toBe('');
  await leave(signer.employeeId);
  expect(await writes.send(world)).toBe('DOCUMENT_INVALID_STATUS_TRANSITION');
  expect(await only(signer)).toBe('INVALID_ARGUMENT');
});
