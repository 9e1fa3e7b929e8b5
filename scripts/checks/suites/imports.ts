/** What source files import at run time. */

/** The imports of a file, as written; imports of types are left out. */
export function importsOf(source: string): string[] {
  const found = source.matchAll(
    /^\s*(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\b(?:import|require\.resolve)\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, from, alone, called]) => from ?? alone ?? called ?? '');
}

/** k6 provides these modules itself. */
const OF_K6 = /^k6(\/|$)/;

/** `@scope/name` or `name` of `name/some/module.js`; undefined for files, modules of Node and modules of k6. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier) || OF_K6.test(specifier)) return undefined;
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}
