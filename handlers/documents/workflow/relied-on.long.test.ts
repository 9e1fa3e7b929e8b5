/** Each fact that a later write relies on ceases to hold after its check; then each later write does what its table says. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { type Owner, TenantFixture } from '../../../scripts/testbed/documents.ts';
import { testDeployment } from '../../../scripts/testbed/test-deployment.ts';
import { ApiError } from '../../answers/errors.ts';
import { confirmFile } from '../../files/confirmFile.ts';
import { now } from '../../runtime/clock.ts';
import { uploadKey } from '../../storage/storage.ts';
import { createDocument } from '../createDocument.ts';
import { sendDocument } from '../sendDocument.ts';
import { setDocumentRoute } from '../setDocumentRoute.ts';
import { signDocument } from '../signDocument.ts';
import { changeDocument, reachedBy } from './change.ts';
import { type LaterCheck, type LaterWrite, reliedOn } from './relied-on.ts';

const { store } = await testDeployment();
let fixture: TenantFixture;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
});

type Write = LaterWrite[keyof LaterWrite];
type CheckOf<Rows> = Rows extends unknown ? keyof Rows : never;
type Check = CheckOf<(typeof reliedOn)[keyof typeof reliedOn]>;

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

const cells = Object.values(reliedOn).flatMap((rows) =>
  Object.entries(rows).flatMap(([check, { later }]) =>
    Object.entries<LaterCheck>(later).map(([write, does]) => [check as Check, write as Write, does] as const),
  ),
);

test.each(cells)('%s ceases to hold, then %s', async (check, write, does) => {
  const world = await readyFor(write);
  await broken[check](world, write);
  expect(await writes[write](world)).toBe('again' in does ? does.again : '');
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
