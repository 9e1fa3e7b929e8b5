/**
 * Races on one document: several people act at once, on two servers and through the settings tool. However the acts
 * interleave, the outcome must be the same as if they came one after another in some order: the same answers, the same
 * document, the same events.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { freePort } from '../../../conformance/processes/ports.ts';
import { errors } from '../../../generated/errors.ts';
import { ApiError } from '../../../handlers/answers/errors.ts';
import type { DocumentRow, StoredDocumentFile } from '../../../handlers/data/collections/documents.ts';
import type { Act, SlotAct } from '../../../handlers/documents/workflow/acts.ts';
import { anybody } from '../../../handlers/documents/workflow/people.ts';
import { decide } from '../../../handlers/documents/workflow/workflow.ts';
import { openFolder } from '../../../handlers/storage/folder.ts';
import { type Random, randomOf } from '../../operate/seed/random.ts';
import { makeMove } from '../../operate/settings/documents.ts';
import { ask, inTurn, type JsonAnswer } from '../../testbed/ask.ts';
import { Database } from '../../testbed/database.ts';
import { Deployment } from '../../testbed/deployment.ts';
import { draftRow } from '../../testbed/document-row.ts';
import type { RunningServer } from '../../testbed/server.ts';
import type { TestTenant } from '../../testbed/tenant.ts';
import {
  type Doing,
  isCompleting,
  NAMES,
  type Name,
  partsOf,
  type Race,
  type RaceName,
  REROUTED,
  races,
  type StepOf,
} from './races-table.ts';
import { type Suite, size } from './suite.ts';

/** The result of an operation. */
type RaceAnswer = Pick<JsonAnswer, 'status' | 'reason'>;

/** The result of the rounds of a race. */
interface RaceReport {
  /** How often each outcome occurred; an outcome is described in words. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Outcomes that no order of the acts can have, with the document. */
  readonly wrong: readonly string[];
}

const COMMENT = 'Не сейчас';
const DONE: RaceAnswer = { status: 200, reason: '' };
/**
 * The time that the settings tool saves because it does not use HTTP. Without this delay it would win nearly every
 * race.
 */
const AHEAD_MS = 6;

async function storedPdf(files: string, tenantId: string): Promise<StoredDocumentFile> {
  const folder = await openFolder(files);
  const key = `documents/${tenantId}/races`;
  const { size_bytes, sha256, commit } = await folder.draft(Readable.from([Buffer.from('%PDF-1.7\nraced for\n')]));
  const object = { key, version: await commit(key), size_bytes, sha256 };
  const named = { filename: 'races.pdf', content_type: 'application/pdf' };
  return { file_id: randomUUID(), file_type: 'FILE_TYPE_PDF', ...named, object };
}

/** Starts a database and two servers on it, with one tenant. */
async function deployForRaces() {
  const deployment = await Deployment.open(new Database());
  const { store } = deployment;
  try {
    const tenant = await deployment.tenant();
    const pdf = await storedPdf(deployment.env.STORAGE_DIR ?? '', tenant.id);
    // Without a relay, so that events stay in the rows where a change has put them.
    const start = async () => deployment.start({ ROLE: 'api', STORAGE_PORT: String(await freePort()) });
    const servers = [await start(), await start()];
    const racers = {} as Record<Name, Racer>;
    for (const name of NAMES) racers[name] = await makeRacer(tenant, servers);
    return { store, tenantId: tenant.id, pdf, racers, end: () => deployment.end('SIGTERM') };
  } catch (error) {
    await deployment.end();
    throw error;
  }
}

type RaceDeployment = Awaited<ReturnType<typeof deployForRaces>>;

/** A person who acts in a race, on both servers in turn, each time with an own key, so that no rate limit applies. */
async function makeRacer(tenant: TestTenant, servers: readonly RunningServer[]) {
  const employeeId = await tenant.employee();
  const userId = await tenant.user({ employee_id: employeeId });
  let calls = 0;
  return {
    employeeId,
    /** Prepares the call of an operation. */
    async call(documentId: string, action: string, body: object): Promise<() => Promise<RaceAnswer>> {
      const key = await tenant.key({ owner_id: userId, scopes: ['documents:write'], created_by_super_admin: false });
      const server = inTurn(servers, calls++);
      return () => ask('POST', `${server.url}/developer/v1/documents/${documentId}/_${action}`, key, body);
    },
  };
}

type Racer = Awaited<ReturnType<typeof makeRacer>>;

async function runRace(
  deployment: RaceDeployment,
  race: RaceName,
  rounds: number,
  random: Random,
): Promise<RaceReport> {
  const outcomes: Record<string, number> = {};
  const wrong: string[] = [];
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const { atOnce, spreadMs } = races[race] as Race;
    const start = startOf(deployment, races[race]);
    await deployment.store.documents.insertOne(start);
    const ready = await Promise.all(atOnce.map((doing) => prepared(deployment, start, doing)));
    const answers = await Promise.all(ready.map((act) => later(random.int(spreadMs + 1), act)));
    // After a 503 nobody knows whether the act was done; a busy machine gives one now and then.
    if (answers.some(({ status }) => status === 503) && refused++ < rounds) {
      round--;
      continue;
    }
    const after = await deployment.store.documents.findOne({ _id: start._id });
    if (after === null) throw new Error('a document vanished');
    const seen = outcomeOf(atOnce, answers, after);
    outcomes[seen.words] = (outcomes[seen.words] ?? 0) + 1;
    const possible = ordersOf(atOnce.length).map((order) => oneByOne(deployment, start, atOnce, order));
    if (!possible.some(({ all }) => all === seen.all) || !hasRightFiles(after)) wrong.push(`${start._id}: ${seen.all}`);
  }
  return { outcomes, wrong };
}

/** Starts the work after a delay. Different delays make different interleavings; with 0 the work starts at once. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  return work();
}

/** Prepares one act in the way a client or the settings tool makes it. */
async function prepared(
  deployment: RaceDeployment,
  start: DocumentRow,
  doing: Doing,
): Promise<() => Promise<RaceAnswer>> {
  const { store, tenantId, racers } = deployment;
  const [what, by] = partsOf(doing);
  if (what === 'revoke') {
    const meant = { store, tenantId, documentId: start._id };
    return () =>
      later(AHEAD_MS, () => makeMove(meant, { kind: 'revoke', by: racers[by].employeeId }).then(() => DONE, refusalOf));
  }
  const participant_id = slotIn(deployment, start, by);
  const bodies = {
    send: {},
    set_route: { steps: stepsOf(racers, REROUTED) },
    approve: { participant_id },
    sign: { participant_id },
    reject: { participant_id, comment: COMMENT },
  };
  return racers[by].call(start._id, what, bodies[what]);
}

function refusalOf(error: unknown): RaceAnswer {
  if (!(error instanceof ApiError)) throw error;
  return { status: error.httpStatus, reason: errors[error.errorName].reason };
}

/** The racer's active slot. */
function slotIn({ racers }: RaceDeployment, { route }: DocumentRow, by: Name): string | undefined {
  return route?.steps
    .flatMap(({ participants }) => participants)
    .find((slot) => slot.employee_id === racers[by].employeeId && slot.status === 'PARTICIPANT_STATUS_ACTIVE')?.id;
}

function stepsOf(racers: RaceDeployment['racers'], route: readonly StepOf[]) {
  return route.map((step) => {
    const [kind, rule, people = ''] = step.split(/ of |: /) as ['APPROVAL' | 'SIGNING', 'ALL' | 'ANY', string];
    const names = people.split(', ') as Name[];
    return {
      step_type: `STEP_TYPE_${kind}` as const,
      rule: `STEP_RULE_${rule}` as const,
      participants: names.map((name) => ({ employee_id: racers[name].employeeId, key_type: 'SIMPLE' as const })),
    };
  });
}

/** The same act for the state machine. */
function actOf(deployment: RaceDeployment, start: DocumentRow, doing: Doing): Act {
  const [what, name] = partsOf(doing);
  const by = deployment.racers[name].employeeId;
  switch (what) {
    case 'send':
    case 'revoke':
      return { kind: what, by };
    case 'set_route':
      return { kind: 'set_route', by, steps: stepsOf(deployment.racers, REROUTED) };
  }
  const signature = { pdf_sha256: '', file: null, certificate_serial: '' };
  const participantId = slotIn(deployment, start, name);
  return { kind: what, by, apiKeyId: '', participantId, comment: COMMENT, signature } satisfies SlotAct;
}

/** The result of the state machine for a row: the next row, or the reason of the refusal. */
function applied(row: DocumentRow, act: Act): DocumentRow | string {
  const change = decide(row, act, anybody, { now: new Date(), newId: () => crypto.randomUUID() });
  if (change.refused) return errors[change.error].reason;
  const actors = [...new Set([...row.actors, ...change.actors])];
  const visible_to = [...new Set([...row.visible_to, ...change.viewers])];
  return { ...row, ...change.set, actors, visible_to, pending_events: [...row.pending_events, ...change.events] };
}

function startOf(deployment: RaceDeployment, { route, before }: Race): DocumentRow {
  const initiator_employee_id = deployment.racers.ini.employeeId;
  const draft = draftRow({ tenant_id: deployment.tenantId, initiator_employee_id, files: [deployment.pdf] });
  const steps = stepsOf(deployment.racers, route);
  const acts: Act[] = [{ kind: 'set_route', by: initiator_employee_id, steps }];
  return [...acts, ...before.map((doing) => actOf(deployment, draft, doing))].reduce((row, act) => {
    const next = applied(row, act);
    if (typeof next === 'string') throw new Error(`the race cannot start: ${next}`);
    return next;
  }, draft);
}

/** An outcome in words, and as a value that contains everything that can be compared. */
function outcomeOf(atOnce: readonly Doing[], answers: readonly RaceAnswer[], row: DocumentRow) {
  const won = atOnce.filter((_, i) => answers[i]?.status === 200);
  const route = row.route?.steps.map(({ status, participants }) => [
    status,
    ...participants.map((slot) => [slot.employee_id, slot.status, slot.action !== null]),
  ]);
  const events = row.pending_events.map(({ type }) => type);
  const { status, rev, actors, visible_to } = row;
  const seenBy = [actors.toSorted(), visible_to.toSorted()];
  return {
    words: `${won.join(' and ') || 'nobody'}: ${status.replace('DOCUMENT_STATUS_', '')}`,
    all: JSON.stringify([answers.map(({ reason }) => reason), status, rev, row.route?.status, route, events, seenBy]),
  };
}

/** The outcome if the acts come one after another. */
function oneByOne(deployment: RaceDeployment, start: DocumentRow, atOnce: readonly Doing[], order: readonly number[]) {
  const answers: RaceAnswer[] = atOnce.map(() => ({ status: 0, reason: '' }));
  let row = start;
  for (const i of order) {
    const next = applied(row, actOf(deployment, start, atOnce[i] as Doing));
    answers[i] = typeof next === 'string' ? { status: 400, reason: next } : { status: 200, reason: '' };
    if (typeof next !== 'string') row = next;
  }
  return outcomeOf(atOnce, answers, row);
}

function ordersOf(count: number): number[][] {
  if (count === 0) return [[]];
  return ordersOf(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)),
  );
}

/** One signed PDF if the document is completed, otherwise none. */
function hasRightFiles({ status, files }: DocumentRow): boolean {
  const signed = files.filter(({ file_type }) => file_type === 'FILE_TYPE_SIGNED_PDF').length;
  return signed === (status === 'DOCUMENT_STATUS_COMPLETED' ? 1 : 0);
}

/** The suite. */
export const raceSuite: Suite = {
  name: 'races',
  about: 'Several processes act on one document at the same time; the result must be that of some order of the acts.',
  sizes: [
    size('rounds', 'of each race', 1_000, 10),
    size('completions', 'rounds of races with a signature, which print a PDF', 100, 3),
  ],
  inQuick: true,
  async run({ size: sizeOf, seed, say }) {
    const deployment = await deployForRaces();
    const lines: string[] = [];
    const wrong: string[] = [];
    try {
      for (const race of Object.keys(races) as RaceName[]) {
        const rounds = sizeOf(isCompleting(race) ? 'completions' : 'rounds');
        const report = await runRace(deployment, race, rounds, randomOf(`${seed} ${race}`));
        const counts = Object.entries(report.outcomes).map(([what, times]) => `${times} × ${what}`);
        const line = `${race}, ${rounds} rounds: ${counts.join('; ')}.`;
        say(line);
        lines.push(line);
        wrong.push(...report.wrong.map((what) => `${race}: ${what}`));
      }
    } finally {
      await deployment.end();
    }
    lines.push(`${wrong.length} outcomes that no order of the acts has.`);
    return { lines, wrong };
  },
};
