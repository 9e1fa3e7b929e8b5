/** ERR, LIM and VER: errors and odd requests, the rate limit, and versions. */
import { type Rule, row } from '../rule.ts';

const ofTemplate = ['document_type_id', 'document_template_id'] as const;

const fileError = (id: string, text: string, place: string): Rule =>
  row(id, 'MUST', text, place, {
    decisions: ['D-5'],
    needs: { operations: ['reserveFile', 'confirmFile', 'createDocument'], fixtures: ofTemplate },
  });

export const errorRules: readonly Rule[] = [
  row('ERR-1', 'MUST', 'Every error has a code, a message and details of objects with an @type.', 'Status', {
    decisions: ['D-4'],
  }),
  row('ERR-2', 'MUST', 'Every error carries its textual code at the declared place.', 'Status', { decisions: ['D-4'] }),
  row('ERR-3', 'MUST', 'The codes whose status the contract fixes come with that status.', 'the catalogue of errors'),
  row('ERR-4', 'MUST', 'INVALID_ARGUMENT has one status everywhere.', 'INVALID_ARGUMENT', { decisions: ['D-5'] }),
  fileError(
    'ERR-5',
    'An upload or file that is not the owner’s or not the document’s is FILE_NOT_FOUND.',
    'FILE_NOT_FOUND',
  ),
  fileError(
    'ERR-6',
    'Naming an upload that was never confirmed is FILE_INVALID_STATUS_TRANSITION.',
    'FILE_INVALID_STATUS_TRANSITION',
  ),
  fileError('ERR-7', 'Naming an upload that another document has is FILE_ALREADY_LINKED.', 'FILE_ALREADY_LINKED'),
  fileError('ERR-8', 'Confirming an upload without bytes is FILE_NOT_UPLOADED.', 'FILE_NOT_UPLOADED'),
  fileError('ERR-9', 'Confirming more bytes than were reserved is FILE_SIZE_MISMATCH.', 'FILE_SIZE_MISMATCH'),
  row(
    'ERR-10',
    'MUST',
    'An owner without an employee, or whose employee is terminated, gets DOCUMENT_INITIATOR_NOT_FOUND.',
    'DOCUMENT_INITIATOR_NOT_FOUND',
    {
      decisions: ['D-5', 'D-17'],
      needs: {
        operations: ['createDocument'],
        keys: ['no_employee_owner', 'terminated_owner'],
        fixtures: ofTemplate,
      },
    },
  ),
  row('ERR-11', 'MUST', 'One condition has one code, in the declared order of precedence.', 'the catalogue of errors', {
    decisions: ['D-6'],
    needs: { keys: ['no_scope', 'revoked', 'flag_off'], operations: ['ingestRecords', 'rejectDocument'] },
  }),
  row(
    'ERR-12',
    'MUST',
    'Ingest without an Idempotency-Key is 400 IDEMPOTENCY_REQUIRED; the 409 of the same code is a repeat.',
    'IDEMPOTENCY_KEY_MISSING',
    { needs: { keys: ['ingest_write'], operations: ['ingestRecords'] } },
  ),
  row('ERR-13', 'MUST', 'The message of an error is an English sentence.', 'Status'),
  row(
    'ERR-14',
    'MUST',
    'Bodies that are too large, too deep, or hold a byte order mark, NUL or a lone surrogate are refused, and the service goes on.',
    'requestBody',
    { decisions: ['D-6a'], needs: { operations: ['createDocument'] } },
  ),
  row('ERR-15', 'SHOULD', 'Errors are never HTML, show no stack, and no header names the software.', 'Status', {
    decisions: ['D-4'],
  }),
  row('ERR-16', 'MUST', 'The number in code belongs to the textual code.', 'the catalogue of errors', {
    decisions: ['D-5'],
  }),
  row('ERR-17', 'MUST', 'HEAD, OPTIONS, TRACE and invented methods are answered as declared.', 'METHOD_NOT_ALLOWED', {
    decisions: ['D-6a'],
  }),
  row(
    'ERR-18',
    'MUST',
    'gzip, chunked and expected-continue bodies are read; other codings and media types, and two of them, are refused.',
    'requestBody',
    { decisions: ['D-6a'], needs: { operations: ['createDocument'] } },
  ),
  row(
    'ERR-19',
    'MUST',
    'Paths are exact: another case, a trailing, doubled or encoded slash, dots, a suffix or a parameter is 404.',
    'paths',
    { decisions: ['D-6a'] },
  ),
  row(
    'ERR-20',
    'MUST',
    'Names that mean something to a database or to JavaScript are treated as any unknown name or literal value.',
    'query',
    { decisions: ['D-12'], needs: { operations: ['createDocument'] } },
  ),
  row(
    'ERR-21',
    'MUST',
    'Requests that are no proper HTTP are refused, and the connection does not mix them with what follows.',
    'HEADERS_TOO_LARGE',
    { decisions: ['D-6'] },
  ),
  row(
    'ERR-22',
    'MUST',
    'An unknown field of a body, at any depth, and a null are INVALID_ARGUMENT naming the field.',
    'requestBody',
    { decisions: ['D-6a'], needs: { operations: ['createDocument', 'setDocumentRoute', 'reserveFile'] } },
  ),
  row(
    'ERR-23',
    'MUST',
    'Headers about forwarding, method override, acceptance and conditions change nothing.',
    'parameters',
    { decisions: ['D-6a'], tenant: 'quiet' },
  ),
  row('ERR-24', 'MUST', 'A gzip body is counted after it is unpacked.', 'REQUEST_TOO_LARGE', {
    decisions: ['D-6a'],
    needs: { operations: ['createDocument'] },
  }),
  row('ERR-25', 'MUST', 'No answer invites a browser of another origin in, and none may be cached.', 'Cache-Control', {
    decisions: ['D-6a', 'D-8'],
  }),
  row(
    'ERR-26',
    'MUST',
    'Document operations check in the declared order: body, then visibility, then who may, then the state; a creation its initiator before type and file.',
    'createDocument, setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument',
    {
      decisions: ['D-6', 'D-17', 'D-19'],
      needs: {
        keys: ['second_owner', 'restricted_owner', 'no_employee_owner'],
        fixtures: [...ofTemplate, 'owner_employee_id', 'second_owner_employee_id', 'restricted_owner_employee_id'],
      },
    },
  ),
  row(
    'ERR-27',
    'MUST',
    'A number that a 64-bit float does not hold as it is written is INVALID_ARGUMENT naming its field; in another notation it counts.',
    'requestBody',
    { decisions: ['D-17'], needs: { operations: ['createDocument'] } },
  ),
  row(
    'ERR-28',
    'MUST',
    'One answer names every parameter and field that is known to be wrong, those of a wrong form beside those of a wrong meaning.',
    'BadRequest',
    {
      decisions: ['D-4', 'D-6'],
      needs: {
        operations: ['createDocument', 'setDocumentRoute', 'rejectDocument', 'reserveFile', 'createWebhookEndpoint'],
        fixtures: ofTemplate,
      },
    },
  ),
];

const load = { needs: { keys: ['load'] as const } };

export const limitRules: readonly Rule[] = [
  row('LIM-1', 'MUST', 'After a silence 20 requests at once are all admitted.', 'rate limit', load),
  row('LIM-2', 'MUST', 'Of 40 at once, 20 and what is refilled meanwhile are admitted.', 'rate limit', load),
  row(
    'LIM-3',
    'MUST',
    '10 requests a second, evenly, are never refused: for 15 s with the light probe, 60 s with the full one.',
    'rate limit',
    load,
  ),
  row('LIM-4', 'MUST', 'A drained key sending 20 a second has 10 a second admitted.', 'rate limit', load),
  row(
    'LIM-5',
    'MUST',
    'The bucket refills evenly, not in steps: after 0.5, 1 and 1.5 s it holds what has come back.',
    'rate limit',
    { ...load, decisions: ['D-7'] },
  ),
  row('LIM-6', 'MUST', 'However long the silence, here 6 s, no more than 20 are saved up.', 'rate limit', load),
  row('LIM-7', 'MUST', 'The limit is of a key: another key, of the same owner too, is not touched.', 'rate limit', {
    needs: { keys: ['load', 'second_key_same_owner'] },
  }),
  row(
    'LIM-8',
    'MUST',
    'No single decision is too lax or too strict for a bucket of 20 refilled at 10 a second, whatever the network did.',
    'rate limit',
    { ...load, decisions: ['D-7'] },
  ),
  row('LIM-9', 'MUST', 'A refused request costs nothing.', 'rate limit', { ...load, decisions: ['D-7'] }),
  row(
    'LIM-10',
    'MUST',
    'Every request counts: reads, errors, unknown paths, POST and verifyApiKey alike; ten kinds at once, with the full probe each alone too.',
    'rate limit',
    { ...load, decisions: ['D-7'] },
  ),
  row('LIM-11', 'MUST', 'Requests are refused, not held back.', 'rate limit', load),
  row('LIM-12', 'SHOULD', 'One bucket holds over all processes of a deployment.', 'rate limit', {
    decisions: ['D-7'],
    needs: { keys: ['load'], replica: true },
  }),
  row('LIM-13', 'MUST', 'A refused POST has no effect: no document, no signature.', 'rate limit', {
    needs: {
      keys: ['load', 'second_owner', 'restricted_owner'],
      fixtures: ['document_type_id', 'document_template_id', 'owner_employee_id'],
    },
  }),
  row('LIM-14', 'MUST', 'Requests with wrong keys use up nobody’s bucket.', 'rate limit', {
    ...load,
    decisions: ['D-7'],
  }),
  row(
    'LIM-15',
    'MUST',
    'A refusal is the declared error, and waiting as long as it says is enough.',
    'RATE_LIMIT_EXCEEDED',
    { ...load, decisions: ['D-7'] },
  ),
  row(
    'LIM-16',
    'MUST',
    'Bursts are treated alike at any fraction of a second: at three with the light probe, at five with the full one.',
    'rate limit',
    load,
  ),
  row(
    'LIM-17',
    'MUST',
    'The limit is neither of an address nor of a tenant: two keys together have twice as much.',
    'rate limit',
    { needs: { keys: ['load', 'second_key_same_owner'] } },
  ),
  row('LIM-18', 'MUST', 'A new connection brings no new bucket.', 'rate limit', load),
  row('LIM-19', 'MUST', 'The RateLimit fields tell the truth about what is left.', 'RateLimit, RateLimit-Policy', {
    ...load,
    decisions: ['D-7'],
  }),
  row(
    'LIM-20',
    'MUST',
    'Failed authentication is limited for each address as the target declares, and valid keys from that address are not affected.',
    'RATE_LIMIT_EXCEEDED',
    { decisions: ['D-7'] },
  ),
];

export const versionRules: readonly Rule[] = [
  row(
    'VER-1',
    'MUST',
    'Nothing is served under another version, another case of the prefix, or the prefix alone.',
    'servers, paths',
  ),
  row('VER-2', 'MUST', 'The description of the interface is labelled 1.0.0.', 'info.version', { decisions: ['D-32'] }),
  row('VER-3', 'MUST', 'The additions of 1.3, 1.5 and 1.6 are there exactly if the target claims them.', 'x-since'),
  row('VER-4', 'MUST', 'Every path of the description carries the prefix.', 'paths'),
  row('VER-6', 'MUST', 'The addition of 1.4, ingest, is there exactly if the target claims it.', 'x-since'),
];

const excluded = (id: string, text: string, reason: string): Rule =>
  row(id, 'MUST', text, 'description', { excluded: reason });

export const excludedRules: readonly Rule[] = [
  excluded('X-1', 'Permissions are computed on every request.', 'internal; what can be seen of it is SCOPE-24'),
  excluded(
    'X-2',
    'A key’s secret is shown once, and lists show its prefix.',
    'belongs to the settings, which are no part of the interface',
  ),
  excluded('X-3', 'Receivers deduplicate and reject old signatures.', 'binds clients, not the service'),
  excluded('X-4', 'Transitions between employee statuses.', 'the source does not say which exist'),
  excluded('X-5', 'The owner sees exactly what an interactive session shows.', 'needs the web application'),
  excluded('X-6', 'A slug binds an external person to an identity.', 'belongs to another product'),
  excluded(
    'X-7',
    'A new release removes, renames and tightens nothing of the last one (VER-5).',
    'compares two descriptions, not a running instance; `npm run contract:breaking` does it, and the checks run it',
  ),
];
