/** How bodies are read, where the operations have readers of different kinds. */
import { gzipSync } from 'node:zlib';
import type { Call } from '../http/api.ts';
import { rule } from './rule.ts';
import { newKey, writes } from './shared/calls.ts';
import { employee, ext, KEDO, Load, mark, shows, skippedBatch } from './shared/ingest-calls.ts';
import { NO_SUCH_FIELD } from './shared/input-values.ts';
import { meantBody, postOf, takenInputs } from './shared/target-inputs.ts';

/** A value that fits no field. */
const WRONG = '[[[7]]]';

rule({
  id: 'ERR-36',
  text: 'Of equal names in a body the last counts, in every operation and however the name is written.',
  place: 'requestBody',
  decisions: ['D-6a'],
  check: async (t) => {
    const full = t.asAny('full');
    for (const operation of writes(t)) {
      const { operationId } = operation;
      const inputs = takenInputs(t, operationId);
      const body = { ...(await meantBody(t, inputs)), [NO_SUCH_FIELD]: 1 };
      const [name] = Object.keys(body).filter((one) => one !== NO_SUCH_FIELD);
      if (name === undefined) continue;
      const { body: _, ...call } = postOf(t, operation, {});
      const send = (raw: string) => full.send({ ...call, raw });
      const whole = JSON.stringify(body);
      // The first letter of the name as an escape: the same name.
      const escaped = `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;
      for (const spelled of [name, escaped]) {
        (await send(`{"${spelled}":${WRONG},${whole.slice(1)}`)).blames(NO_SUCH_FIELD, `${operationId}: first wrong`);
        const last = await send(`${whole.slice(0, -1)},"${spelled}":${WRONG}}`);
        last.blames([name, NO_SUCH_FIELD], `${operationId}: a right ${name}, then a wrong one`);
      }
    }
  },
});

/** A way to send a batch. */
interface BatchForm {
  readonly what: string;
  /** The bytes of a batch, from its text. @param id the external id in it, as JSON */
  written(text: string, id: string): string | Buffer;
  readonly more?: Partial<Call> & { headers?: Readonly<Record<string, string>> };
  /** A habit of senders, of which a target may declare nothing. */
  readonly isHabit?: true;
}

const GZIP = { headers: { 'Content-Encoding': 'gzip' } };

const asItIs = (text: string) => text;

/** Each must be applied, if the target takes it at all. */
const FORMS: readonly BatchForm[] = [
  { what: 'a batch in gzip', written: (text) => gzipSync(text), more: GZIP },
  { what: 'gzip in chunks', written: (text) => gzipSync(text), more: { ...GZIP, chunkBytes: 7 } },
  { what: 'a batch behind a byte order mark', written: (text) => `\ufeff${text}`, isHabit: true },
  { what: 'a batch in chunks', written: asItIs, more: { chunkBytes: 5 } },
  {
    what: 'a batch behind 100-continue',
    written: asItIs,
    more: { headers: { Expect: '100-continue' }, expectContinueMs: 3000 },
  },
  { what: 'blanks and lines', written: (text) => JSON.stringify(JSON.parse(text), null, '\r\n\t ') },
  {
    what: 'escapes in names and texts',
    written: (text) =>
      text.replace('"records"', '"\\u0072ecords"').replace('"number"', '"n\\u0075mber"').replaceAll('-', '\\u002d'),
  },
  {
    what: 'equal names',
    written: (text, id) =>
      text
        .replace('"payload_type"', '"payload_type":"PERSONS","records":[{}],"payload_type"')
        .replace('"number"', '"number":[],"external_id":"nobody","number"')
        .replace('"admission_date"', `"external_id":${id},"admission_date"`),
  },
];

rule({
  id: 'ING-88',
  text: 'A batch is read as every body is: packed, in chunks, behind 100-continue or a byte order mark, with blanks and escapes anywhere, and the last of equal names counts; what is no UTF-8 or JSON, or has half a character, is INVALID_ARGUMENT.',
  place: 'ingestRecords, requestBody',
  decisions: ['D-6a', 'D-29'],
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const isTaken = ({ more, isHabit }: BatchForm) =>
      (more?.headers !== GZIP.headers || t.values.gzip_bodies === 'accepted') &&
      (isHabit === undefined || t.values.ingest_habits === 'understood');
    const forms = FORMS.filter(isTaken);
    await load.people('read');
    const staff = forms.map((_, n) => employee(t, `read-${n}`, 'read', mark(t, 'begin')));
    await load.make('EMPLOYEES', staff);
    const numbers = forms.map(() => mark(t, 'read'));
    for (const [n, { what, written, more = {} }] of forms.entries()) {
      const record = { ...staff[n], number: numbers[n] };
      const text = JSON.stringify({ payload_type: 'EMPLOYEES', records: [record] });
      const raw = written(text, JSON.stringify(ext(t, `read-${n}`)));
      const headers = { 'Idempotency-Key': newKey(t), ...more.headers };
      await t.mayWrite();
      const answer = await load.reader.send({ method: 'POST', path: `/ingest/${KEDO}`, raw, ...more, headers });
      t.equal(answer.ok('ingestRecords', what).record_count, 1, `record_count of ${what}`, answer);
    }
    await load.settled();
    const rows = await load.rows();
    for (const [n, { what }] of forms.entries()) t.check(shows(rows, numbers[n] ?? ''), `it was not applied: ${what}`);
    const text = JSON.stringify(skippedBatch([{ external_id: 'nobody', title: 'mark' }]));
    const wrong: [what: string, raw: string | Buffer][] = [
      ['no UTF-8 within a record', Buffer.from(text.replace('mark', '\u00ff'), 'latin1')],
      ['half of a character within a record', Buffer.concat([Buffer.from(text.slice(0, -3)), Buffer.from([0xd0])])],
      ['a comma too many within a record', text.replace('"mark"', '"mark",')],
      ['a record that does not end', text.slice(0, -3)],
      ['text behind the batch', `${text}x`],
      ['a number with a leading zero', text.replace('"mark"', '01')],
      ['a control character in a text', text.replace('mark', 'a\tb')],
      ['a payload_type with NUL', text.replace('NOTHING', 'a\\u0000')],
      ['a payload_type with half a surrogate pair', text.replace('NOTHING', 'a\\ud800')],
      ['garbage called gzip', text],
    ];
    for (const [what, raw] of wrong) {
      const headers = { 'Idempotency-Key': newKey(t), ...(what.includes('gzip') ? GZIP.headers : {}) };
      if (what.includes('gzip') && t.values.gzip_bodies !== 'accepted') continue;
      const answer = await load.reader.send({ method: 'POST', path: `/ingest/${KEDO}`, raw, headers });
      answer.fails('INVALID_ARGUMENT', what);
    }
  },
});
