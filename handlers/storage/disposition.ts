/** File names in headers. */

/** File systems and URLs accept this length in any script, even percent-encoded twice. */
const MAX_LENGTH = 150;
const MAX_EXTENSION = 12;

/** Control, format (including those that change the text direction) and separator characters, and lone surrogates. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A name that is safe to show and to save: one line, no path, at most 150 characters with its extension kept. */
function plainName(filename: string): string {
  const clean = filename.replace(UNPRINTABLE, '').replace(/[/\\]/g, '_').trim();
  const characters = [...clean];
  if (characters.length <= MAX_LENGTH) return clean === '' ? 'file' : clean;
  const extension = [...(/\.[^.]+$/.exec(clean)?.[0] ?? '')].slice(0, MAX_EXTENSION);
  return [...characters.slice(0, MAX_LENGTH - extension.length), ...extension].join('');
}

/** The text with everything except `attr-char` of RFC 8187 §3.2.1 percent-encoded as UTF-8. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `Content-Disposition` of a download (RFC 6266): an attachment, the name in ASCII for old clients and in full. */
export function attachment(filename: string): string {
  const name = plainName(filename);
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extendedValue(name)}`;
}
