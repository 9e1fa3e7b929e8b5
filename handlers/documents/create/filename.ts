const MAX_LENGTH = 120;
const START = /^[. ]+/;
const END = /(?:\.pdf|[. ])+$/i;

/**
 * Characters with a meaning in paths or shells of some system, invisible ones, and those that change text direction.
 */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu;

/**
 * The name of a document's file for download (D-22): the title in one line, without characters that file systems refuse,
 * cut to 120 characters, plus the ending. A title that ends in `.pdf` itself does not get a second one.
 * @param ending such as `.pdf`
 */
export function filenameOf(title: string, ending: string): string {
  const clean = title.replace(UNSAFE, ' ').replace(/\s+/gu, ' ').trim();
  const cut = [...clean].slice(0, MAX_LENGTH).join('').replace(END, '').replace(START, '');
  return `${cut || 'document'}${ending}`;
}
