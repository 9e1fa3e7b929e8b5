/**
 * What an Idempotency-Key costs: documents are created from confirmed uploads with a key and without one, in turn. An
 * upload is the cheapest source of a document, since nothing is printed.
 */
import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '../../../../handlers/data/store.ts';
import { checks, handlers } from '../../../../handlers/index.ts';
import { PATIENCE_MS } from '../../../kit/program.ts';
import { percentile } from '../../../kit/statistics.ts';
import { inTurn } from '../../../world/ask.ts';
import { TenantFixture } from '../../../world/documents.ts';
import { onCommands } from '../../../world/examined.ts';
import { serveInProcess } from '../../../world/in-process.ts';
import { finding, type Scenario } from '../../scenario.ts';
import { steadily } from '../../steady-load.ts';
import { inRounds, type Measuring, measuring, startMeasured, timed } from '../measuring.ts';

const PER_SECOND = 200;
/** So many that each stays far below its limit. */
const KEYS = 100;
/** How many documents of each kind are created to count commands. */
const COUNTED = 20;
/** What the driver sends for itself. */
const OWN_COMMANDS = new Set(['hello', 'ismaster', 'ping', 'endSessions', 'saslStart', 'saslContinue']);

/** Sends one creation. @returns the milliseconds that it took */
type Create = (server: { readonly url: string }, isKeyed: boolean) => Promise<number>;

/** A tenant with so many uploads. @returns how a document is created from the next one */
async function prepared(store: Store, count: number): Promise<Create> {
  const fixture = await TenantFixture.create(store);
  const owner = await fixture.owner();
  const type_id = await fixture.type();
  const sample = await store.files.findOne({ _id: await fixture.upload(owner) });
  if (sample === null) throw new Error('the tenant lacks an upload');
  const keys = await fixture.keys(KEYS, { owner_id: owner.userId });
  const uploads = Array.from({ length: count }, () => ({ ...sample, _id: randomUUID() }));
  await store.files.insertMany(uploads, { ordered: false });
  let turn = 0;
  return async (server, isKeyed) => {
    const nth = turn++;
    const body = { title: `Приказ ${nth}`, type_id, file_id: uploads[nth]?._id };
    const idempotencyKey = isKeyed ? randomUUID() : undefined;
    return (await timed(server, { path: '/documents', key: inTurn(keys, nth), body, idempotencyKey })).tookMs;
  };
}

/** How many commands the database gets for a creation, from the application in this process. */
async function commands({ database }: Measuring['place'], create: Create): Promise<{ plain: number; keyed: number }> {
  const { uri, name } = database;
  let sent = 0;
  onCommands(({ commandName }) => {
    if (!OWN_COMMANDS.has(commandName)) sent += 1;
  });
  const store = await openStore(uri, name, PATIENCE_MS, PATIENCE_MS);
  const { storage } = await TenantFixture.create(store);
  const served = await serveInProcess({ handlers, checks }, store, storage);
  const { origin: url } = new URL(served.url);
  const counted = async (isKeyed: boolean) => {
    // The first one also reads what the application keeps.
    await create({ url }, isKeyed);
    sent = 0;
    for (let nth = 0; nth < COUNTED; nth++) await create({ url }, isKeyed);
    return sent / COUNTED;
  };
  try {
    return { plain: await counted(false), keyed: await counted(true) };
  } finally {
    await served.stop();
    await store.close();
  }
}

async function run({ place, isQuick, say }: Measuring) {
  const { store } = place;
  const [rounds, seconds] = isQuick ? [1, 1] : [3, 5];
  const create = await prepared(store, 2 * (PER_SECOND * (seconds * (rounds + 1) + 1) + COUNTED + 1));
  say('counting commands');
  const counted = await commands(place, create);
  const server = await startMeasured(place);
  const creating = (isKeyed: boolean) => (isWarmUp: boolean) =>
    steadily(PER_SECOND, isWarmUp ? seconds / 2 : seconds, () => create(server, isKeyed));
  const took = await inRounds({ plain: creating(false), keyed: creating(true) }, rounds, say);
  const [plain, keyed] = [took('plain').flat(), took('keyed').flat()];
  return [
    finding('commands of a creation without a key', counted.plain, ''),
    finding('further commands with a key', counted.keyed - counted.plain, '', { most: 3 }),
    finding(`${PER_SECOND}/s without a key, p50`, percentile(plain, 0.5), 'ms'),
    finding(`${PER_SECOND}/s without a key, p99`, percentile(plain, 0.99), 'ms'),
    finding(`${PER_SECOND}/s with a key, p50`, percentile(keyed, 0.5), 'ms'),
    finding(`${PER_SECOND}/s with a key, p99`, percentile(keyed, 0.99), 'ms', { most: 25 }),
  ];
}

/** The scenario. */
export const creation: Scenario = {
  name: 'creation',
  about: 'creations of documents from uploads, with an Idempotency-Key and without',
  finds: 'a creation that needs more commands, or more time, with an Idempotency-Key',
  run: measuring(run),
};
