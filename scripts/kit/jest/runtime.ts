/**
 * Jest's `runtime` for the unit tests. Node itself loads the test files, in place of Jest's loader,
 * which loads and compiles every package again for each file. Packages are loaded once for each worker. Modules of the
 * project are loaded once a test file, as with Jest, so that no file sees the state that another left in them.
 */
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type NativeEnvironment from './environment.ts';

const require = createRequire(import.meta.url);
const ROOT = new URL('../../../', import.meta.url).href;
const PACKAGES = `${ROOT}node_modules/`;
/**
 * The end of an address of a module of the project. The number identifies the test file that the module is loaded for.
 */
const TEST_FILE = /\?file=\d+$/;
/** The property of `globalThis` that holds what the present test file imports from `@jest/globals`. */
const GLOBALS = 'jestGlobals';
const NAMES = 'afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test';
/** The property in which jest-circus keeps its handlers beyond a test file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The sources of modules, as Node runs them. */
const sources = new Map<string, string>();

function sourceOf(url: string): string {
  const known = sources.get(url);
  if (known !== undefined) return known;
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const source = url.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  sources.set(url, source);
  return source;
}

registerHooks({
  resolve(specifier, context, next) {
    const [file] = TEST_FILE.exec(context.parentURL ?? '') ?? [];
    if (file === undefined) return next(specifier, context);
    if (specifier === '@jest/globals') {
      const url = `data:text/javascript,export const { ${NAMES} } = globalThis.${GLOBALS}; // ${file}`;
      return { url, shortCircuit: true };
    }
    const found = next(specifier, context);
    const isOwn = found.url.startsWith(ROOT) && !found.url.startsWith(PACKAGES);
    return isOwn && /\.[jt]s$/.test(found.url) ? { ...found, url: found.url + file } : found;
  },
  load(url, context, next) {
    if (!TEST_FILE.test(url) || !url.startsWith(ROOT)) return next(url, context);
    return { format: 'module', source: sourceOf(url.replace(TEST_FILE, '')), shortCircuit: true };
  },
});

// The processes that tests start use the compile cache, though this one must not: see `unit.ts`.
delete process.env.NODE_DISABLE_COMPILE_CACHE;

type Globals = Readonly<Record<string, unknown>>;
const realm = globalThis as unknown as Record<string | symbol, unknown>;
let count = 0;

/** What Jest and jest-circus ask of a `runtime`. */
export default class NativeRuntime {
  readonly #environment: NativeEnvironment;
  readonly #file = `?file=${++count}`;

  constructor(_config: unknown, environment: NativeEnvironment) {
    this.#environment = environment;
  }

  /** Loads jest-circus again, because its state is that of one test file. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    delete realm[EVENT_HANDLERS];
    return require(path);
  }

  setGlobalsForRuntime(globals: Globals): void {
    realm[GLOBALS] = { ...globals, jest: this.#environment.jest };
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<void> {
    await import(pathToFileURL(path).href + this.#file);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  enterTestCode(): void {}

  leaveTestCode(): void {}

  teardown(): void {}
}
