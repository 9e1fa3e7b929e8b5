/** The guide in `docs/guide/` as pages of the docs. Its files can be read as they are, too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../redocly.ts';
import type { Section } from './sections.ts';

/** The names of the files, in the order of reading. */
export const GUIDE = ['first-call', 'paging-and-syncing', 'documents-and-files', 'webhooks', 'errors'] as const;

export type GuideName = (typeof GUIDE)[number];

/** The address in the files: that of `npm start`. */
export const GUIDE_ADDRESS = 'http://127.0.0.1:8080';

/** A file of the guide. */
export const guideText = (name: GuideName): string => readFileSync(join(ROOT, 'docs/guide', `${name}.md`), 'utf8');

const LINK = /\[([^\]]*)\]\((?!https?:)([^)]*)\)/g;

/** The pages of the guide. @param server the address that the docs name in its place */
export function guidePages(server: string): Section[] {
  return GUIDE.map((name) => {
    const [, heading = '', text = ''] = /^# (.*)\n([\s\S]*)$/.exec(guideText(name)) ?? [];
    const shown = text
      .replaceAll(GUIDE_ADDRESS, server)
      .replaceAll(/^## /gm, '### ')
      .replaceAll(LINK, (_, words: string, target: string) => linkTo(words, target));
    return { name: `guide-${name}`, heading, text: shown };
  });
}

/** A link within the guide leads to its page; whoever reads the docs need not have the other files. */
function linkTo(words: string, target: string): string {
  const page = GUIDE.find((name) => target === `${name}.md`);
  return page === undefined ? words : `[${words}](#/guide-${page})`;
}
