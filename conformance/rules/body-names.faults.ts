/** Faults that the rules of body-names.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import { asks, denies, jsonBody, parse, refuses } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const INGEST = 'ingestRecords';

const MARK = Buffer.from('\ufeff');
const isMarked = (body: Buffer) => body.subarray(0, 3).equals(MARK);

/** Takes the first of equal names at the top of a text. */
const firstOfAll = (text: string): unknown => {
  const first = /^\{"((?:\\u....|\w)+)":(\[\[\[7\]\]\])/.exec(text);
  const json = JSON.parse(text) as Record<string, unknown>;
  return first === null ? json : { ...json, [JSON.parse(`"${first[1]}"`) as string]: JSON.parse(first[2] ?? '') };
};

export const faults: readonly Fault[] = faultsOf({
  'ERR-36': {
    'err-first-name-counts': [
      'of equal names the first counts',
      asks(
        ({ body }) => body.includes('[[[7]]]'),
        (asked) => {
          asked.body = jsonBody(firstOfAll(asked.body.toString()));
        },
      ),
    ],
    'err-equal-names-refused': [
      'equal names are refused',
      denies(({ body }) => body.includes('[[[7]]]'), 'INVALID_ARGUMENT'),
    ],
  },
  'ING-88': {
    'ing-packed-refused': [
      'a packed batch is refused',
      denies(
        (asked) => asked.operation === INGEST && headerOf(asked, 'content-encoding') === 'gzip',
        'UNSUPPORTED_MEDIA_TYPE',
      ),
    ],
    'ing-last-record-name-lost': [
      'names in records are read as they are written',
      asks(INGEST, (asked) => {
        const text = asked.body.toString();
        if (text.includes('"n\\u0075mber"')) asked.body = Buffer.from(text.replace('"n\\u0075mber"', '"n_umber"'));
      }),
    ],
    'ing-mark-refused': [
      'a batch behind a byte order mark is refused',
      refuses(INGEST, 'INVALID_ARGUMENT', ({ body }) => isMarked(body)),
    ],
    'ing-mark-spoils-batch': [
      'a batch behind a byte order mark is accepted and lost',
      asks(INGEST, (asked) => {
        if (isMarked(asked.body))
          asked.body = Buffer.from(String(asked.body.subarray(3)).replace('"EMPLOYEES"', '"NOTHING"'));
      }),
    ],
    'ing-broken-taken': [
      'what is no JSON is taken as an empty batch',
      asks(INGEST, (asked) => {
        const isBroken = headerOf(asked, 'content-encoding') === undefined && parse(asked.body) === undefined;
        if (isBroken) asked.body = jsonBody({ payload_type: 'NOTHING', records: [{}] });
      }),
    ],
  },
});
