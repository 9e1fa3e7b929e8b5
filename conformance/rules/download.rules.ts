import { enumerations } from '../../generated/contract.ts';
import { oncePerRun } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { WireAnswer } from '../http/client.ts';
import { headerOf } from '../http/exchange.ts';
import { rulesWith } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { cms, cmsOf } from './shared/cms-commands.ts';
import {
  approval,
  cast,
  type Document,
  type Download,
  done,
  downloadOf,
  draft,
  draftFromUpload,
  eds,
  fetchFile,
  fetchUrl,
  pdf,
  refused,
  setRoute,
  titleOf,
} from './shared/document-calls.ts';

const rule = rulesWith({ place: 'downloadDocument', decisions: ['D-22'] });

rule({
  id: 'DREAD-9',
  text: 'Without file_id a download gives the document’s PDF, with file_id that file, and from an upload, which is its document’s only file, exactly its bytes; a file_id of another document, or of no file, is FILE_NOT_FOUND.',
  check: async (t, full) => {
    const bytes = pdf('DREAD-9');
    const mine = await draftFromUpload(t, full, bytes);
    const other = await draft(t, full);
    const [id = '', otherId = ''] = [mine.files[0]?.file_id, other.files[0]?.file_id];
    t.equal(mine.files.length, 1, 'files of a document from an upload');
    const main = await downloadOf(full, mine.id);
    t.equal([main.file.file_id, main.file.file_type], [id, t.spelling.file_type.PDF], 'the file without file_id');
    const named = await downloadOf(full, mine.id, id);
    t.equal(named.file, main.file, 'the file by its file_id');
    for (const { url } of [main, named])
      t.check((await fetchFile(t, url)).equals(bytes), 'other bytes than the upload’s');
    for (const strange of [otherId, UNKNOWN_ID, 'x', '{"$gt":""}', mine.id]) {
      const answer = await full.get(`/documents/${mine.id}/_download`, { file_id: strange });
      answer.fails('FILE_NOT_FOUND', `file_id ${strange}`);
    }
  },
});

/** How RFC 8187 writes a text: its encoding, perhaps a language, and the bytes, of which few stand for themselves. */
const EXT_VALUE = /^UTF-8'[A-Za-z0-9-]*'(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-Fa-f]{2})+\s*$/i;

/** What storage sends must be the file as it was announced, as an attachment with this ending behind its name. */
function mustBeOffered(t: TestContext, got: WireAnswer, file: Download['file'], ending = /[^.]\.pdf$/i): void {
  const header = (name: string) => headerOf(got, name) ?? '';
  const disposition = header('content-disposition');
  t.equal(got.status, 200, 'the status of the download');
  t.check(/^attachment\b/i.test(disposition), `Content-Disposition ${disposition}`);
  t.equal(header('content-type').split(';')[0], file.content_type, 'the Content-Type of the download');
  t.equal(header('content-length'), file.size_bytes, 'the Content-Length of the download');
  t.equal(String(got.body.length), file.size_bytes, 'size_bytes and the bytes that came');
  t.check(/^[\x20-\x7e]*$/.test(disposition), 'Content-Disposition holds what is no ASCII');
  const extended = disposition.match(/;\s*filename\*\s*=\s*([^;]*)/i)?.[1];
  t.check(extended === undefined || EXT_VALUE.test(extended), `filename* is no ext-value of RFC 8187: ${extended}`);
  t.equal(header('x-evil'), '', 'a header that the title smuggled in');
  const named = disposition.match(/filename\*?\s*=\s*("[^"]*"|[^;]*)/gi) ?? [];
  for (const name of [file.filename, ...named.map((one) => one.replace(/"?\s*$/, ''))])
    t.check(ending.test(name) && !/\.pdf\.pdf/i.test(name), `a file is offered as ${name}`);
}

rule({
  id: 'DREAD-16',
  text: 'Each download URL gives the file to a plain GET without the key, several times, as an attachment with its type and size and one .pdf behind its name, whatever the title is.',
  place: 'downloadDocument, DownloadFile: filename',
  check: async (t, full) => {
    const name = `Бұйрық "№1"; Ё/\\ (o'clock)* \u202e\r\nX-Evil: 1`;
    const documents = [await draft(t, full, { title: titleOf(t, name) }), await draftFromUpload(t, full)];
    for (const ending of ['.pdf', '.PDF'])
      documents.push(await draftFromUpload(t, full, pdf('DREAD-16'), { title: titleOf(t) + ending }));
    for (const { id } of documents) {
      const answer = await full.get(`/documents/${id}/_download`);
      const { file, url, expire_time } = answer.ok('downloadDocument');
      const left = (Date.parse(expire_time) - Date.parse(answer.header('date') ?? new Date().toISOString())) / 1000;
      const lifetime = t.values.download_lifetime_s;
      t.check(Math.abs(left - lifetime) <= 10, `the URL expires after ${left} s, not ${lifetime}`, answer);
      for (const key of t.keyNames('full'))
        t.check(!url.includes(t.secretOf(key)), 'the URL holds the API key', answer);
      const got = await fetchUrl(t, url);
      mustBeOffered(t, got, file);
      const another = await downloadOf(full, id);
      for (const address of [another.url, url])
        t.check((await fetchFile(t, address)).equals(got.body), 'a further download has other bytes');
    }
  },
});

/** A few bytes, from a place on, the last ones, and beyond the end; where the range begins and ends in a file of this size. */
const RANGES: readonly (readonly [range: string, ...at: ((size: number) => number)[]])[] = [
  ['0-9', () => 0, () => 9],
  ['10-', () => 10, (size) => size - 1],
  ['-5', (size) => size - 5, (size) => size - 1],
  ['20-999999999', () => 20, (size) => size - 1],
];

rule({
  id: 'DREAD-33',
  text: 'A range of a download is that part of the file, with the Content-Range and the length of what comes, or the whole file.',
  check: async (t, full) => {
    const { id } = await draftFromUpload(t, full);
    const { url } = await downloadOf(full, id);
    const whole = await fetchFile(t, url);
    for (const [range, ...at] of RANGES) {
      const asked = fetchUrl(t, url, 'GET', [['Range', `bytes=${range}`]]);
      // Such as one that announces more bytes than come.
      const got = await asked.catch(({ message }) => t.fail(`the range ${range}: ${message}`));
      const { status, body } = got;
      if (status === 200) t.check(body.equals(whole), `another file for the range ${range}`);
      if (status === 200) continue;
      const [start = 0, end = 0] = at.map((place) => place(whole.length));
      t.equal(
        [status, headerOf(got, 'content-range')],
        [206, `bytes ${start}-${end}/${whole.length}`],
        `the range ${range}`,
      );
      t.check(body.equals(whole.subarray(start, end + 1)), `other bytes for the range ${range}`);
    }
    const beyond = await fetchUrl(t, url, 'GET', [['Range', `bytes=${whole.length}-`]]);
    t.check(beyond.status === 416 || beyond.status === 200, `a range behind the file: ${beyond.status}`);
  },
});

/** The title of the document below: what is safe in every file system. */
const PLAIN = 'Приказ Бұйрық 118';

/** A completed document with a file of each kind, that has a plain title. */
const withEveryFile = oncePerRun(async (t): Promise<Document> => {
  const { full, second, restricted } = cast(t);
  const { id } = await draftFromUpload(t, full.api, pdf(PLAIN), { title: PLAIN });
  await setRoute(full.api, id, [approval(second), eds(restricted)]);
  await done(full.api, id, '_send');
  await done(second.api, id, '_approve');
  const bytes = await fetchFile(t, (await downloadOf(full.api, id)).url);
  return done(restricted.api, id, '_sign', cms(t, await cmsOf(t, bytes)));
});

/** How the name of each kind of file ends. Another kind may have any ending. */
const ENDINGS: Readonly<Record<string, RegExp>> = { PDF: /\.pdf$/i, SIGNED_PDF: /\.pdf$/i, SIGNATURE: /\.\w+$/ };

for (const kind of Object.keys(enumerations.file_type).filter((one) => one !== 'UNSPECIFIED')) {
  rule({
    id: `DREAD-file.${kind}`,
    family: 'kinds of files',
    text: `A file of the kind ${kind} is offered under the title of its document, with the size, the type and the name that the answer says, to all who see the document alike.`,
    place: 'downloadDocument, DownloadFile',
    check: async (t, full) => {
      const { id, files } = await withEveryFile(t);
      const wanted = t.spelling.file_type[kind as 'PDF'];
      const { file_id } = t.present(
        files.find(({ file_type }) => file_type === wanted),
        `no way of signing makes a file of the kind ${kind}`,
      );
      const { file, url } = await downloadOf(full, id, file_id);
      t.equal([file.file_id, file.file_type], [file_id, wanted], 'the file of the answer');
      t.check(file.filename.startsWith(PLAIN), `a file of "${PLAIN}" is offered as ${file.filename}`);
      const got = await fetchUrl(t, url);
      mustBeOffered(t, got, file, ENDINGS[kind] ?? /./);
      const offered = headerOf(got, 'content-disposition') ?? '';
      t.check(decodeURIComponent(offered).includes(file.filename), `storage offers the file by ${offered}`);
      const others = await downloadOf(t.as('second_owner'), id, file_id);
      t.equal(others.file, file, 'the file as a participant gets it');
      t.check((await fetchFile(t, others.url)).equals(got.body), 'a participant gets other bytes');
    },
  });
}

rule({
  id: 'DREAD-22',
  level: 'SHOULD',
  text: 'A download tells browsers not to guess at its type.',
  decisions: [],
  check: async (t, full) => {
    const got = await fetchUrl(t, (await downloadOf(full, (await draft(t, full)).id)).url);
    t.equal(headerOf(got, 'x-content-type-options'), 'nosniff', 'X-Content-Type-Options of the download');
  },
});

rule({
  id: 'DREAD-18',
  text: 'A download URL that was altered, for example to another object or a longer time, is refused.',
  check: async (t, full) => {
    const { url } = await downloadOf(full, (await draft(t, full)).id);
    const other = await downloadOf(full, (await draft(t, full)).id);
    const mine = new URL(url);
    const altered: [string, string][] = [['without its query', mine.origin + mine.pathname]];
    altered.push(['with the path of another file', url.replace(mine.pathname, new URL(other.url).pathname)]);
    for (const [name, value] of mine.searchParams) {
      const change = (to: string | null) => {
        const copy = new URL(url);
        if (to === null) copy.searchParams.delete(name);
        else copy.searchParams.set(name, to);
        return copy.href;
      };
      if (name !== 'x-id') altered.push([`without ${name}`, change(null)]);
      if (/expires/i.test(name)) altered.push([`with a later ${name}`, change(String(Number(value) + 86_400))]);
      if (/signature$/i.test(name))
        altered.push([`with another ${name}`, change((value.startsWith('0') ? '1' : '0') + value.slice(1))]);
      if (/disposition$/i.test(name)) altered.push([`with another ${name}`, change('inline')]);
      if (/content-type$/i.test(name)) altered.push([`with another ${name}`, change('text/html')]);
    }
    t.check(altered.length > 3, 'the URL has nothing that could be a signature');
    for (const [what, address] of altered) {
      const answer = await fetchUrl(t, address);
      t.check(refused(answer), `storage answered ${answer.status} to the URL ${what}`);
      t.check(!answer.body.includes('%PDF-'), `the refusal of the URL ${what} holds the file`);
    }
    for (const method of ['PUT', 'DELETE', 'POST']) {
      const answer = await fetchUrl(t, url, method);
      t.check(refused(answer), `storage answered ${answer.status} to ${method} of the URL`);
    }
    t.check((await fetchFile(t, url)).length > 0, 'the file is gone');
  },
});
