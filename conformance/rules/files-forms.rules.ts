import { rulesWith } from './rule.ts';
import {
  accepted,
  confirm,
  confirmed,
  contentOf,
  created,
  type FormChanges,
  pdf,
  postForm,
  refused,
  reserve,
  stored,
  type Upload,
  uploadBody,
} from './shared/document-calls.ts';

const rule = rulesWith({ place: 'reserveFile', decisions: ['D-23'] });

const fieldOf = (upload: Upload, pattern: RegExp) => Object.entries(upload.fields).find(([name]) => pattern.test(name));

/** The policy with its text changed, in base64 again. */
function edited(policy: string, change: (text: string) => string): string {
  return Buffer.from(change(Buffer.from(policy, 'base64').toString('utf8'))).toString('base64');
}

/** Ways to misuse a form, each with a description. Which fields a form has depends on the storage. */
function misuses(upload: Upload, other: Upload): [what: string, changes: FormChanges][] {
  const found: [string, FormChanges][] = [];
  const add = (what: string, name: string, value?: string) => found.push([what, { fields: { [name]: value } }]);
  const key = fieldOf(upload, /^key$/i);
  const type = fieldOf(upload, /^content-type$/i);
  const policy = fieldOf(upload, /^policy$/i);
  const signature = fieldOf(upload, /signature$/i);
  const otherKey = fieldOf(other, /^key$/i)?.[1];
  if (key) {
    const [name, value] = key;
    if (otherKey) add('the key of another upload', name, otherKey);
    add('a longer key', name, `${value}x`);
    add('a key that climbs', name, `../${value}`);
    add('a key with a filename', name, `${value}/\${filename}`);
  }
  if (type) {
    add('another content type', type[0], 'text/html');
    add('no content type', type[0]);
  }
  if (policy) {
    const [name, value] = policy;
    const later = edited(value, (text) => text.replace(/"expiration"\s*:\s*"\d{4}/, '"expiration":"2999'));
    const loose = edited(value, (text) =>
      text.replace(/"conditions"\s*:\s*\[/, '"conditions":[["starts-with","$x",""],'),
    );
    add('a later end', name, later);
    add('looser conditions', name, loose);
    add('no policy', name);
    add('an empty policy', name, 'e30=');
  }
  if (signature) {
    const [name, value] = signature;
    add('another signature', name, (value.startsWith('0') ? '1' : '0') + value.slice(1));
    add('no signature', name);
    const strange = fieldOf(other, /signature$/i)?.[1];
    if (strange !== undefined && strange !== value) add('the signature of another form', name, strange);
  }
  add('a field that is not the form’s', 'x-amz-acl', 'public-read');
  add('a redirect', 'success_action_redirect', 'https://example.com/');
  return found;
}

rule({
  id: 'FILE-16',
  text: 'An upload form is good only for its object and content type: if any field is altered or left out, storage refuses it and stores nothing.',
  check: async (t, full) => {
    const bytes = pdf('FILE-16');
    const mine = await reserve(t, full, bytes.length);
    const other = await reserve(t, full, bytes.length);
    const ways = misuses(mine.upload, other.upload);
    t.check(ways.length > 2, 'the form has neither a key, nor a policy, nor a signature');
    for (const [what, changes] of ways) {
      const answer = await postForm(t, mine.upload, bytes, changes);
      t.check(refused(answer), `storage answered ${answer.status} to ${what}`);
    }
    for (const { file } of [mine, other])
      (await confirm(t, full, file.id)).fails('FILE_NOT_UPLOADED', 'what was refused');
    t.check(accepted(await postForm(t, mine.upload, bytes)), 'the form as it was given is refused afterwards');
    await confirmed(t, full, mine.file.id);
  },
});

rule({
  id: 'FILE-30',
  level: 'SHOULD',
  text: 'Storage takes an upload form as browsers and SDKs send it: names in any case, fields to be ignored, and a button after the file, which is no part of it.',
  place: 'reserveFile, PresignedUpload',
  check: async (t, full) => {
    const bytes = pdf('FILE-30');
    const ways: [what: string, changes: FormChanges][] = [
      ['names in small letters', { named: (name) => name.toLowerCase() }],
      ['names in capitals', { named: (name) => name.toUpperCase() }],
      ['a field x-ignore-page', { fields: { 'x-ignore-page': '1' } }],
      ['a button after the file', { late: { submit: 'Upload' } }],
    ];
    for (const [what, changes] of ways) {
      const { file, upload } = await reserve(t, full, bytes.length);
      const answer = await postForm(t, upload, bytes, changes);
      t.check(accepted(answer), `storage answered ${answer.status} to a form with ${what}`);
      const { size_bytes } = await confirmed(t, full, file.id, what);
      t.equal(size_bytes, String(bytes.length), `size_bytes of a form with ${what}`);
    }
  },
});

rule({
  id: 'FILE-23',
  text: 'Storage takes the largest size and not a byte more, whatever the form is used for.',
  check: async (t, full) => {
    if (!t.profile.tenant.consent_to_large_bodies)
      t.untested('no_consent_to_writes', 'the profile does not consent to large bodies');

    const { file, upload } = await reserve(t, full, t.values.upload_max_bytes);
    const largest = t.values.upload_max_bytes;
    const bytes = Buffer.alloc(largest + 1, 0x20);
    bytes.write('%PDF-1.4\n');
    // Storage may close the connection before it has read everything.
    const answer = await postForm(t, upload, bytes).catch(() => undefined);
    t.check(answer === undefined || !accepted(answer), `storage took ${bytes.length} bytes`);
    const empty = await postForm(t, upload, Buffer.alloc(0));
    t.check(!accepted(empty), 'storage took an object without a byte');
    (await confirm(t, full, file.id)).fails('FILE_NOT_UPLOADED', 'what storage refused');
    const whole = await postForm(t, upload, bytes.subarray(0, largest));
    t.check(accepted(whole), `storage refused ${largest} bytes with ${whole.status}`);
    const { size_bytes } = await confirmed(t, full, file.id);
    t.equal(size_bytes, String(largest), 'size_bytes of the largest upload');
  },
});

rule({
  id: 'FILE-24',
  text: 'Confirmation pins the bytes: what is sent with the same form afterwards never reaches the document.',
  place: 'confirmFile',
  check: async (t, full) => {
    const bytes = pdf('FILE-24 first', 800);
    const { file, upload } = await stored(t, full, bytes);
    await confirmed(t, full, file.id);
    const before = await postForm(t, upload, pdf('FILE-24 second', 800));
    const shown = await confirmed(t, full, file.id);
    t.equal(shown.size_bytes, '800', `size_bytes after a later use of the form (${before.status})`);
    const document = await created(t, full, uploadBody(t, file.id));
    const early = await contentOf(t, full, document.id);
    t.check(early.equals(bytes), 'the document has bytes that came after the confirmation');
    await postForm(t, upload, pdf('FILE-24 third', 700));
    const late = await contentOf(t, full, document.id);
    t.check(late.equals(bytes), 'the document has bytes that came after its creation');
  },
});
