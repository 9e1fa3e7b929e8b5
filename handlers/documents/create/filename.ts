const MAX_LENGTH = 120;

/** Characters that mean something in paths or shells of some system, or that nobody sees, or that turn text around. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu;

/**
 * The name under which a document's file is offered: its title in one line, without what file systems refuse, cut to
 * 120 characters, and the ending.
 * @param ending such as `.pdf`
 */
export function filenameOf(title: string, ending: string): string {
  const clean = title.replace(UNSAFE, ' ').replace(/\s+/gu, ' ').trim();
  const cut = [...clean]
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${cut || 'document'}${ending}`;
}
