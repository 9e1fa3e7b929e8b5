/** Judges the rendered docs by axe-core, in Chromium without a window. */
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, Failure } from '../../kit/command-line.ts';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { onPath } from '../../kit/tools.ts';
import { fetchedPackages, run } from '../generators/command.ts';

const AXE = 'axe-core@4.14.1';
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** How the page is looked at: its width in pixels, and the scheme as Chromium's setting has it. */
const VIEWS = [390, 1440].flatMap((width) => [
  { width, scheme: 'light', setting: 1 },
  { width, scheme: 'dark', setting: 0 },
]);
/** Milliseconds of the page's time: what it takes to draw all sections and judge them. */
const LONGEST_MS = 3_600_000;

/** What axe-core finds in one view: a rule that is violated, and where. */
interface Violation {
  readonly view: string;
  readonly id: string;
  readonly help: string;
  readonly places: readonly string[];
}

/** @throws Failure if there is no Chromium, axe-core cannot be fetched, or the page does not end */
export async function violationsOf(page: string, say: (text: string) => void): Promise<Violation[]> {
  const name = BROWSERS.find((each) => onPath(each, process.env) !== undefined);
  if (name === undefined)
    throw new Failure(EXIT.usage, `Nothing was checked: none of ${BROWSERS.join(', ')} is on the PATH.`);
  const folder = temporaryFolder('docs-check-');
  try {
    const target = join(folder, 'index.html');
    const judge = readFileSync(join(import.meta.dirname, 'page/judge.js'), 'utf8');
    const scripts = [await axe(say), judge].map((script) => `<script>${script}</script>`).join('');
    await writeFile(
      target,
      (await readFile(page, 'utf8')).replace('<head>', () => `<head>${scripts}`),
    );
    const found: Violation[] = [];
    for (const { width, scheme, setting } of VIEWS) {
      const view = `${width} pixels, ${scheme}`;
      const dom = await run(name, [
        '--headless',
        '--no-sandbox',
        '--dump-dom',
        '--run-all-compositor-stages-before-draw',
        `--user-data-dir=${join(folder, view)}`,
        `--window-size=${width},900`,
        `--blink-settings=preferredColorScheme=${setting}`,
        `--virtual-time-budget=${LONGEST_MS}`,
        `file://${target}`,
      ]);
      const [, text] = /<body><pre id="verdict">(.*?)<\/pre>/.exec(dom) ?? [];
      if (text === undefined)
        throw new Failure(EXIT.refused, `${view}: the page was not judged, because Chromium ended before.`);
      const violations = JSON.parse(decodeURIComponent(text)) as Omit<Violation, 'view'>[];
      found.push(...violations.map((violation) => ({ view, ...violation })));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The source of axe-core, fetched once. */
async function axe(say: (text: string) => void): Promise<string> {
  return readFile(join(await fetchedPackages('axe-core', [AXE], say), 'axe-core/axe.min.js'), 'utf8');
}
