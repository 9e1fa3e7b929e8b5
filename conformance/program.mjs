#!/usr/bin/env node
/**
 * The program of the package: the conformance suite, or with the first word `load` the load scenarios. It is plain
 * JavaScript that old versions of Node understand, so that it can say which one is needed.
 */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const parts = (version) => version.match(/\d+/g).map(Number);
const [[wantedMajor, wantedMinor], [major, minor]] = [manifest.engines.node, process.versions.node].map(parts);
const UNUSABLE = 2;

async function run([word, ...rest]) {
  if (word === '--version') {
    console.log(manifest.version);
    return;
  }
  // Messages name commands as the user calls them.
  process.env.CONF_CALLED_AS = manifest.name;
  const isLoad = word === 'load';
  const [{ main }, { runMain }] = await Promise.all([
    import(isLoad ? './dist/scripts/lab/load/main.js' : './dist/conformance/main.js'),
    import('./dist/scripts/kit/ending.js'),
  ]);
  await runMain(main, isLoad ? rest : process.argv.slice(2));
}

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(
    `${manifest.name} needs Node ${wantedMajor}.${wantedMinor} or newer; this is ${process.versions.node}.`,
  );
  process.exitCode = UNUSABLE;
} else {
  await run(process.argv.slice(2));
}
