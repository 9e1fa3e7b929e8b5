/** Checks of what is in front of the interface, by requests without a key through the address of clients (`--url`). */
import { randomInt, randomUUID } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { operations } from '../../generated/contract.ts';
import { useUp } from '../http/failed-keys.ts';
import { livingProcesses } from '../jobs/process-agreement.ts';
import { databaseMs } from '../runtime/clock.ts';
import { certificateAt } from './certificate.ts';
import type { CheckContext, DeploymentCheck } from './check.ts';
import { CheckSkip, doubtful, fine, type Judgement, skipped, timed, wrong } from './finding.ts';
import { type AskedAnswer, type AskedRequest, ask, type GivenAnswer, isLate } from './http.ts';

const VERIFY = operations.verifyApiKey.path;
const INGEST = operations.ingestRecords.path.replace('{source_type}', 'KEDO');

/** @throws CheckSkip where nobody has said where clients reach the interface */
function addressOf({ url }: CheckContext): URL {
  if (url === undefined) throw new CheckSkip('--url says where clients reach the interface');
  return url;
}

function asked(context: CheckContext, path: string, request: Omit<AskedRequest, 'signal'> = {}): Promise<AskedAnswer> {
  const url = addressOf(context);
  const at = new URL(url.pathname.replace(/\/$/, '') + path, url);
  return ask(at, { ...request, signal: context.signal });
}

const isRefused = (answer: AskedAnswer, status: number, reason: string): answer is GivenAnswer =>
  'status' in answer && answer.status === status && answer.text.includes(reason);
const isLimited = (answer: AskedAnswer) => isRefused(answer, 429, 'DEVELOPER.RATE_LIMIT_EXCEEDED');

/** Whether an answer is the refusal of the interface itself of a request without a key, or of many of them. */
const isOurs = (answer: AskedAnswer): answer is GivenAnswer =>
  isRefused(answer, 401, 'INTEGRATION.API_KEY_INVALID') || isLimited(answer);

const inWords = (answer: AskedAnswer): string =>
  'failure' in answer
    ? `no answer (${answer.failure})`
    : `${answer.status} of ${answer.headers.server ?? 'something'} in front of it`;

/** The largest body of the interface, of ingest. */
const INGEST_BYTES = 32 * 1024 * 1024;
const INGEST_MS = 20_000;
const TRIES_AGAIN = 3;
const isCutOff = (answer: AskedAnswer) => 'failure' in answer && /EPIPE|ECONNRESET/.test(answer.failure);

/** @throws CheckSkip where the interface is not there, about which {@link reach} tells */
async function mustAnswer(context: CheckContext): Promise<void> {
  if (!isOurs(await asked(context, VERIFY))) throw new CheckSkip('the interface does not answer');
}

/** The interface takes heads of 16 KiB; a list with 100 values for each filter needs them. */
const HEAD_BYTES = 12 * 1024;

/** What a process lets an address fail by itself before it asks the row of the address that all processes share. */
const OWN_FAILURES = 10;
const MOST_FAILURES = 60;
/** An address of a documentation network, which no real client has. */
const invented = () => `203.0.113.${randomInt(1, 254)}`;

/** Beside a terminator on this machine, an address by which this machine is told apart from it; Linux has all of 127/8. */
const ASIDE = '127.0.0.2';

function ownAddress(url: URL): string | undefined {
  const isLocal = /^(localhost|127\.0\.0\.1)$/.test(url.hostname);
  return isLocal && process.platform === 'linux' ? ASIDE : undefined;
}

function judgedPeers(
  { config }: CheckContext,
  peers: readonly string[],
  claimed: string,
  from: string | undefined,
): Judgement {
  if (peers.includes(claimed)) {
    return wrong(
      'processes take the X-Forwarded-For of a caller for its address: it escapes the limit on wrong keys',
      'Let the terminator replace or append it, and list only its own address in TRUSTED_PROXIES.',
    );
  }
  const own = new Set(
    from ? [from] : Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
  );
  if (peers.some((peer) => own.has(peer)))
    return fine('processes see the address of the client, not that of the terminator');
  const inside = peers.filter((peer) => ipaddr.isValid(peer) && ipaddr.process(peer).range() !== 'unicast');
  if (inside.length > 0) {
    const seen = inside.join(', ');
    const isTrusted = config.TRUSTED_PROXIES.length > 0;
    return wrong(
      `processes take ${seen} for the client, which seems to be the terminator: all clients share one limit on wrong keys`,
      isTrusted
        ? `Let the terminator send X-Forwarded-For, and list ${seen} in TRUSTED_PROXIES.`
        : `List ${seen} in TRUSTED_PROXIES, and let the terminator send X-Forwarded-For.`,
    );
  }
  if (peers.length === 0) return skipped('no process counted the requests of this check');
  return fine('processes see a public address of the client');
}

export const terminatorChecks: readonly DeploymentCheck[] = [
  {
    name: 'terminator.reach',
    about: 'the interface itself answers at --url',
    async run(context) {
      const id = `check-${randomUUID()}`;
      const answer = await asked(context, VERIFY, { headers: { 'X-Request-Id': id } });
      if ('failure' in answer)
        return wrong(`nothing answers: ${answer.failure}`, 'See --url, DNS, the terminator and its certificate.');
      if (!isOurs(answer)) {
        return wrong(
          `a request without a key gets ${inWords(answer)}, not 401 of the interface`,
          'See --url, and to where the terminator hands on.',
        );
      }
      const { 'x-request-id': its, 'www-authenticate': challenge } = answer.headers;
      if (its !== id || (answer.status === 401 && challenge === undefined)) {
        return doubtful(
          its === id ? 'WWW-Authenticate does not arrive' : 'the X-Request-Id of a caller does not come back',
          'Let the terminator hand it on, and its answer, as they are.',
        );
      }
      return fine('a request without a key gets 401 of the interface, with its X-Request-Id');
    },
  },
  {
    name: 'terminator.certificate',
    about: 'its certificate is trusted, and for long enough',
    async run(context) {
      const url = addressOf(context);
      if (url.protocol !== 'https:')
        return doubtful('the address is not https: keys travel in the open', 'Put a TLS terminator in front of it.');
      return certificateAt(url, context.signal);
    },
  },
  {
    name: 'terminator.freshness',
    about: 'nothing in front of the interface keeps its answers',
    /** Every answer has an id of its own, so what comes with that of another request was kept. */
    async run(context) {
      await mustAnswer(context);
      for (const path of [VERIFY, '/healthz']) {
        const ids: unknown[] = [];
        for (let time = 0; time < 2; time++) {
          const answer = await asked(context, path);
          if ('status' in answer) ids.push(answer.headers['x-request-id'] ?? randomUUID());
        }
        if (new Set(ids).size < ids.length) {
          return wrong(
            `a second request of ${path} gets the answer of the first: one tenant would get the data of another`,
            'Let nothing in front of the interface keep answers; it says Cache-Control: no-store.',
          );
        }
      }
      return fine('each request gets an answer of its own');
    },
  },
  {
    name: 'terminator.body',
    about: 'a body of 32 MiB arrives',
    limitMs: INGEST_MS + 2_000,
    async run(context) {
      await mustAnswer(context);
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `check-${randomUUID()}` };
      const request = { method: 'POST', headers, blanks: INGEST_BYTES, withinMs: INGEST_MS };
      let answer = await asked(context, INGEST, request);
      // The refusal may come before the end of the body; where the connection then closes at once, it can be lost on its way.
      for (let more = 0; more < TRIES_AGAIN && isCutOff(answer); more++) answer = await asked(context, INGEST, request);
      if (isOurs(answer)) return fine('a body of 32 MiB arrives');
      const todo = 'Let bodies of 32 MiB through (nginx: client_max_body_size 33m), for 30 s.';
      if (isLate(answer)) {
        const words = `32 MiB did not arrive within ${INGEST_MS / 1_000} s from here`;
        return timed(doubtful(words, 'Run the check nearer to it, or see its time-outs.'));
      }
      return wrong(`a body of 32 MiB gets ${inWords(answer)}: large batches of ingest are refused`, todo);
    },
  },
  {
    name: 'terminator.head',
    about: 'a request line of 12 KiB arrives',
    async run(context) {
      await mustAnswer(context);
      const answer = await asked(context, `${VERIFY}?x=${'a'.repeat(HEAD_BYTES)}`);
      if (isOurs(answer)) return fine('a request line of 12 KiB arrives');
      return wrong(
        `a request line of 12 KiB gets ${inWords(answer)}`,
        'Let heads of 16 KiB through (nginx: large_client_header_buffers 4 16k; haproxy: tune.bufsize 32768).',
      );
    },
  },
  {
    name: 'terminator.client',
    about: 'processes know the address of a client (X-Forwarded-For, TRUSTED_PROXIES)',
    /**
     * Fails so often that the shared count of failures shows which address the processes take for the client's: that of this
     * machine, that of the terminator, or the one that the client itself has claimed.
     */
    async run(context) {
      const url = addressOf(context);
      const { store } = await context.database.opened();
      if (context.config.RATE_LIMIT_STORE === 'memory')
        return skipped('RATE_LIMIT_STORE is memory, which shows nothing');
      const processes = (await livingProcesses(store)).filter(({ role }) => role !== 'worker').length;
      const claimed = invented();
      const begun = databaseMs();
      const from = ownAddress(url);
      const count = Math.min(MOST_FAILURES, (Math.max(1, processes) + 1) * OWN_FAILURES + 1);
      const request = { headers: { 'X-Forwarded-For': claimed }, ...(from && { from }) };
      const all = (times: number) => Promise.all(Array.from({ length: times }, () => asked(context, VERIFY, request)));
      const answers = await all(count);
      if (!answers.some(isOurs)) throw new CheckSkip('the interface does not answer');
      const rows = await store.rate_limits
        .find({ _id: { $gte: 'peer:', $lt: 'peer;' }, at: { $gte: begun } })
        .toArray();
      let isAnswered = false;
      // However slowly this machine asks, nothing is left of what the addresses may fail.
      const usingUp = async () => {
        while (!isAnswered && rows.length > 0) await Promise.all(rows.map(({ _id }) => useUp(store.rate_limits, _id)));
      };
      const asking = all(count).finally(() => {
        isAnswered = true;
      });
      const [further] = await Promise.all([asking, usingUp()]);
      const limited = further.find(isLimited);
      if (limited !== undefined && limited.headers['retry-after'] === undefined) {
        return doubtful(
          'Retry-After does not arrive: clients come back at once, however busy the service is',
          'Let the terminator hand on the header.',
        );
      }
      return judgedPeers(
        context,
        rows.map(({ _id }) => _id.slice('peer:'.length)),
        claimed,
        from,
      );
    },
  },
  {
    name: 'terminator.readiness',
    about: '/readyz answers',
    async run(context) {
      const answer = await asked(context, '/readyz');
      if ('failure' in answer) throw new CheckSkip('nothing answers');
      if (answer.status === 200 && answer.text.includes('"ready"')) return fine('/readyz answers that it is ready');
      if (answer.status === 404 || answer.status === 403)
        return fine(`/readyz is not shown to clients (${answer.status})`);
      return wrong(`/readyz gets ${answer.status}`, 'See the log of the processes.');
    },
  },
];
