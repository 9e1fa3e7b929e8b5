import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { downloadOf, draft, draftFromUpload, fetchFile, fetchUrl, pdf, titleOf } from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';

rule({
  id: 'DREAD-9',
  level: 'MUST',
  text: 'Without file_id a download gives the document’s PDF, with file_id that file; a file_id of another document, or of no file, is FILE_NOT_FOUND.',
  place: 'downloadDocument',
  decisions: ['D-22'],
  needs: together(need.template, need.uploads, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf('DREAD-9');
    const mine = await draftFromUpload(t, full, bytes);
    const other = await draft(t, full);
    const [id = '', otherId = ''] = [mine.files[0]?.file_id, other.files[0]?.file_id];
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
    const twice = await full.get(`/documents/${mine.id}/_download`, `file_id=${id}&file_id=${id}`);
    twice.blames('file_id', 'file_id twice');
    (await full.get(`/documents/${mine.id}/_download`, 'version=1')).fails('INVALID_ARGUMENT', 'an unknown parameter');
  },
});

/** How RFC 8187 writes a text: its encoding, perhaps a language, and the bytes, of which few stand for themselves. */
const EXT_VALUE = /^UTF-8'[A-Za-z0-9-]*'(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-Fa-f]{2})+\s*$/i;

rule({
  id: 'DREAD-16',
  level: 'MUST',
  text: 'A download URL gives the file to a plain GET without the key, as an attachment with its type and size, whatever the title is.',
  place: 'downloadDocument',
  decisions: ['D-22'],
  needs: together(need.template, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const name = `Бұйрық "№1"; Ё/\\ (o'clock)* \u202e\r\nX-Evil: 1`;
    const bytes = pdf('DREAD-16');
    for (const document of [await draft(t, full, { title: titleOf(t, name) }), await draftFromUpload(t, full, bytes)]) {
      const answer = await full.get(`/documents/${document.id}/_download`);
      const { file, url, expire_time } = answer.ok('downloadDocument');
      const left = (Date.parse(expire_time) - Date.parse(answer.header('date') ?? new Date().toISOString())) / 1000;
      const lifetime = t.values.download_lifetime_s;
      t.check(Math.abs(left - lifetime) <= 10, `the URL expires after ${left} s, not ${lifetime}`, answer);
      for (const key of t.keyNames('full'))
        t.check(!url.includes(t.secretOf(key)), 'the URL holds the API key', answer);
      const got = await fetchUrl(url);
      const header = (wanted: string) => got.headers.find(([given]) => given.toLowerCase() === wanted)?.[1] ?? '';
      t.equal(got.status, 200, 'the status of the download');
      t.check(
        /^attachment\b/i.test(header('content-disposition')),
        `Content-Disposition ${header('content-disposition')}`,
      );
      t.equal(header('content-type').split(';')[0], file.content_type, 'the Content-Type of the download');
      t.equal(header('content-length'), file.size_bytes, 'the Content-Length of the download');
      t.equal(String(got.body.length), file.size_bytes, 'size_bytes and the bytes that came');
      t.check(/^[\x20-\x7e]*$/.test(header('content-disposition')), 'Content-Disposition holds what is no ASCII');
      const extended = header('content-disposition').match(/;\s*filename\*\s*=\s*([^;]*)/i)?.[1];
      t.check(extended === undefined || EXT_VALUE.test(extended), `filename* is no ext-value of RFC 8187: ${extended}`);
      t.equal(header('x-evil'), '', 'a header that the title smuggled in');
      t.equal((await fetchUrl(url)).status, 200, 'the status of a second download');
    }
  },
});

rule({
  id: 'DREAD-25',
  level: 'MUST',
  text: 'A document whose title ends in .pdf, in whatever case, is offered with one .pdf.',
  place: 'DownloadFile: filename',
  decisions: ['D-22'],
  needs: together(need.uploads, { fixtures: ['document_type_id'], operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    for (const ending of ['.pdf', '.PDF']) {
      const { id } = await draftFromUpload(t, full, pdf('DREAD-25'), { title: titleOf(t) + ending });
      const { file, url } = await downloadOf(full, id);
      const given = (await fetchUrl(url)).headers.find(([name]) => name.toLowerCase() === 'content-disposition')?.[1];
      for (const name of [file.filename, ...(given ?? '').split(';').filter((part) => part.includes('='))])
        t.check(/[^.]\.pdf"?\s*$/i.test(name) && !/\.pdf\.pdf/i.test(name), `a file is offered as ${name}`);
    }
  },
});

rule({
  id: 'DREAD-22',
  level: 'SHOULD',
  text: 'A download tells browsers not to guess at its type.',
  place: 'downloadDocument',
  needs: together(need.template, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const { headers } = await fetchUrl((await downloadOf(full, (await draft(t, full)).id)).url);
    const sniffing = headers.find(([name]) => name.toLowerCase() === 'x-content-type-options')?.[1];
    t.equal(sniffing, 'nosniff', 'X-Content-Type-Options of the download');
  },
});

rule({
  id: 'DREAD-18',
  level: 'MUST',
  text: 'A download URL that was altered, for example to another object or a longer time, is refused.',
  place: 'downloadDocument',
  decisions: ['D-22'],
  needs: together(need.template, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
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
      const answer = await fetchUrl(address);
      t.check(answer.status >= 400 && answer.status < 500, `storage answered ${answer.status} to the URL ${what}`);
      t.check(!answer.body.includes('%PDF-'), `the refusal of the URL ${what} holds the file`);
    }
    for (const method of ['PUT', 'DELETE', 'POST']) {
      const answer = await fetchUrl(url, method);
      t.check(answer.status >= 400 && answer.status < 500, `storage answered ${answer.status} to ${method} of the URL`);
    }
    t.check((await fetchFile(t, url)).length > 0, 'the file is gone');
  },
});
