/** Forms as browsers, SDKs and people send them, with the answer of S3. The folder and versitygw get all of them. */
import type { UploadForm } from '../../handlers/storage/storage.ts';

/** The parts of a form before the file, each with its name. */
type Fields = readonly (readonly [name: string, value: string])[];

type FieldChange = (fields: Fields) => Fields;

interface SentForm {
  readonly fields?: FieldChange;
  /** The head of the file's part, after `form-data; `. */
  readonly file?: string;
  /** What stands after the file's part, and after the last boundary; `cut`: the form ends with the file. */
  readonly after?: string;
  readonly end?: string;
  readonly boundary?: string;
  readonly contentType?: string;
  /** Writes the names of headers in parts. */
  readonly head?: (name: string) => string;
  readonly length?: 'none';
}

interface FormCase {
  readonly what: string;
  /** `204`, or the status with the code of the error. */
  readonly answer: string;
  /** The answer of versitygw, where that is not what S3 documents. */
  readonly versitygw?: string | undefined;
  readonly sent: SentForm;
}

export const FILE_BYTES = 'the bytes\r\n--b\r\nof a file';

const FILE = 'name="file"; filename="a.pdf"\r\nContent-Type: application/pdf';
const DENIED = '403 AccessDenied';
const MALFORMED = '400 MalformedPOSTRequest';
const ARGUMENT = '400 InvalidArgument';

const part = (name: string, value: string, boundary = 'B') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const added = (...more: Fields): FieldChange => {
  return (fields) => [...fields, ...more];
};
const changed = (name: string, value: (old: string) => string): FieldChange => {
  return (fields) => fields.map(([given, old]) => [given, given.toLowerCase() === name ? value(old) : old]);
};
const set = (name: string, value: string) => changed(name, () => value);
const without = (...names: string[]): FieldChange => {
  return (fields) => fields.filter(([name]) => !names.includes(name.toLowerCase()));
};
const AUTH = ['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature'];

const row = (what: string, answer: string, sent: SentForm, versitygw?: string): FormCase => {
  return { what, answer, sent, versitygw };
};

export const FORMS: readonly FormCase[] = [
  row('as it was given', '204', {}),
  row('with its fields in another order', '204', { fields: (all) => all.toReversed() }),
  row('with its names in capitals', '204', { fields: (all) => all.map(([n, v]) => [n.toUpperCase(), v]) }),
  row('with its names in small letters', '204', { fields: (all) => all.map(([n, v]) => [n.toLowerCase(), v]) }),
  row('without the field bucket, as most SDKs write it', '204', { fields: without('bucket') }),
  row('with fields to be ignored', '204', { fields: added(['x-ignore-a', 'x'], ['X-Ignore-B', '']) }),
  row('with many fields to be ignored', '204', {
    fields: added(...Array.from({ length: 100 }, (_, nth) => [`x-ignore-${nth}`, 'x'] as const)),
  }),
  row('with a long field to be ignored', '204', { fields: added(['x-ignore-a', 'x'.repeat(9_000)]) }),
  row('with a field twice, the right value last', '204', { fields: (all) => [['key', 'x'], ...all] }),
  row('with a field twice, the wrong value last', DENIED, { fields: added(['key', 'x']) }),
  row('with a file without a name', '204', { file: 'name="file"' }, ARGUMENT),
  row('with a file without a type', '204', { file: 'name="file"; filename="a.pdf"' }),
  row('with a file of another type', '204', { file: 'name="file"; filename="a.html"\r\nContent-Type: text/html' }),
  row('with a file whose name is written as for mail', '204', {
    file: 'name="file"; filename="_.pdf"; filename*=UTF-8\'\'%D0%B0.pdf\r\nContent-Type: application/pdf',
  }),
  row('with a file whose name has quotes', '204', { file: 'name="file"; filename="a\\"b.pdf"' }),
  row('with a file whose name has Cyrillic letters', '204', { file: 'name="file"; filename="Приказ.pdf"' }),
  row('with the field FILE', '204', { file: 'name="FILE"; filename="a.pdf"' }),
  row('with names without quotes', '204', { file: 'name=file; filename=a.pdf' }),
  row('with a transfer encoding', '204', { file: `${FILE}\r\nContent-Transfer-Encoding: binary` }),
  row('with heads in small letters', '204', { head: (name) => name.toLowerCase() }),
  row('with a boundary in quotes', '204', { contentType: 'multipart/form-data; boundary="B"' }),
  row('with a boundary of many signs', '204', {
    boundary: "----Web'()+_,-./:=?Boundary",
    contentType: 'multipart/form-data; boundary="----Web\'()+_,-./:=?Boundary"',
  }),
  row('with a parameter before the boundary', '204', { contentType: 'Multipart/Form-Data; charset=utf-8; Boundary=B' }),
  row('without blanks in its type', '204', { contentType: 'multipart/form-data;boundary=B' }),
  row('with text after its end', '204', { end: 'tail\r\n' }),
  // S3 ignores what follows the file; versitygw looks for it in the policy.
  row('with a button after the file', '204', { after: part('submit', 'Upload') }, DENIED),
  row('with a field without a name after the file', '204', { after: part('', 'x') }),
  row('with a second file', '204', { after: part('file"; filename="b.pdf', 'x') }, '204 with more bytes'),
  row('with a very long field after the file', '204', { after: part('x', 'x'.repeat(30_000)) }, DENIED),
  row('with a button before the file', DENIED, { fields: added(['submit', 'Upload']) }),
  row('with another key', DENIED, { fields: set('key', 'x') }),
  row('with a key to be filled in', DENIED, { fields: set('key', `x/\${filename}`) }),
  row('with another type', DENIED, { fields: set('content-type', 'text/html') }),
  row('with a type in capitals', DENIED, { fields: set('content-type', 'Application/PDF') }),
  row('without a type', DENIED, { fields: without('content-type') }),
  row('with a status that it does not name', DENIED, { fields: added(['success_action_status', '201']) }),
  row('with a redirect', DENIED, { fields: added(['success_action_redirect', 'https://example.com/']) }),
  row('with the character set of a browser', DENIED, { fields: added(['_charset_', 'UTF-8']) }),
  row('with a field that opens the object', DENIED, { fields: added(['acl', 'public-read']) }),
  row('without anything that signs it', DENIED, { fields: without(...AUTH) }),
  row('without its key', ARGUMENT, { fields: without('key') }),
  ...AUTH.map((name) => row(`without ${name}`, ARGUMENT, { fields: without(name) })),
  row('with an empty policy', '403 SignatureDoesNotMatch', { fields: set('policy', '') }),
  row('with an empty signature', '403 SignatureDoesNotMatch', { fields: set('x-amz-signature', '') }),
  row('with another algorithm', ARGUMENT, { fields: set('x-amz-algorithm', 'AWS4-HMAC-SHA1') }),
  row('with a credential of another form', ARGUMENT, { fields: set('x-amz-credential', 'x/y') }),
  row('with a date of another form', ARGUMENT, { fields: set('x-amz-date', '2026-03-02') }),
  row(
    'with a credential of somebody unknown',
    '403 InvalidAccessKeyId',
    { fields: changed('x-amz-credential', (old) => old.replace(/^[^/]+/, 'nobody')) },
    '404 XAdminUserNotFound',
  ),
  row('without a file', '400 IncorrectNumberOfFilesInPostRequest', { file: '' }, ARGUMENT),
  row('with the file first', ARGUMENT, { fields: () => [] }),
  row(
    'with fields of more than 20 KB',
    '400 MaxPostPreDataLengthExceeded',
    { fields: added(['x-ignore-a', 'x'.repeat(21_000)]) },
    '204',
  ),
  row('that ends early', MALFORMED, { end: 'cut' }, '500 InternalError'),
  row('without a boundary', MALFORMED, { contentType: 'multipart/form-data' }),
  row(
    'with another boundary than it says',
    MALFORMED,
    { contentType: 'multipart/form-data; boundary=C' },
    '500 InternalError',
  ),
  row('of another type', '400 RequestIsNotMultiPartContent', { contentType: 'text/plain' }, '412 PreconditionFailed'),
  row('of no type', '400 RequestIsNotMultiPartContent', { contentType: '' }, '412 PreconditionFailed'),
  row('without a length', '411 MissingContentLength', { length: 'none' }, '400 InvalidRequest'),
];

export function formRequest(form: UploadForm, { sent }: FormCase): string {
  const {
    fields: change = (all: Fields) => all,
    file = FILE,
    after = '',
    end = '',
    boundary = 'B',
    contentType = `multipart/form-data; boundary=${boundary}`,
    head = (name: string) => name,
    length,
  } = sent;
  const fields = change(Object.entries(form.fields));
  const isCut = end === 'cut';
  const parts = fields.map(([name, value]) => part(name, value, boundary)).join('');
  const last = file === '' ? '' : `--${boundary}\r\nContent-Disposition: form-data; ${file}\r\n\r\n${FILE_BYTES}`;
  const body = `${parts}${last}${isCut ? '' : `${last && '\r\n'}${after}--${boundary}--\r\n${end}`}`.replaceAll(
    'Content-Disposition',
    head,
  );
  const { host, pathname } = new URL(form.url);
  const lines = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
  if (contentType !== '') lines.push(`Content-Type: ${contentType}`);
  if (length === 'none') lines.push('Transfer-Encoding: chunked');
  else lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  const sentBody = length === 'none' ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return `${lines.join('\r\n')}\r\n\r\n${sentBody}`;
}
