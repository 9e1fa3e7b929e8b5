/** What the Containerfile promises, as far as reading it tells. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesOf } from '../../scripts/packages/imports.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const containerfile = read('deploy/Containerfile');
const { version, dependencies } = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** The stages: their base and what they say. */
const stages = new Map(
  containerfile
    .split(/^FROM /m)
    .slice(1)
    .map((stage) => {
      const [, base = '', name = ''] = /^(\S+) AS (\S+)/.exec(stage) ?? [];
      return [name, { base, text: stage }] as const;
    }),
);
const images = ['service', 'suites'];

test('the bases are the versions of Node and Go that the project pins, and arguments replace them', () => {
  const [, node] = /^ARG NODE_IMAGE=\S+:([\d.]+)-/m.exec(containerfile) ?? [];
  const [, go] = /^ARG GO_IMAGE=\S+:(\d+\.\d+)\./m.exec(containerfile) ?? [];
  const [, goOfK6] = /^go (\d+\.\d+)/m.exec(read('scripts/lab/run/k6/go.mod')) ?? [];
  expect({ node, go }).toEqual({ node: dependencies.node, go: goOfK6 });
  const others = [...stages.values()].map(({ base }) => base).filter((base) => !stages.has(base));
  expect([...new Set(others)].toSorted()).toEqual(['$BASE_IMAGE', '$GO_IMAGE', '$NODE_IMAGE']);
});

describe.each(images)('the image %s', (name) => {
  const { text = '' } = stages.get(name) ?? {};

  test('says its version, runs as a user with a number, and starts the program itself', () => {
    expect(text).toContain(`image.version="${version}"`);
    expect(text).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(text).toMatch(/^ENTRYPOINT \[.*"(\S*\/)?developer-api[\w-]*"\]$/m);
  });

  test('takes everything from the other stages, and the tree as it is laid out', () => {
    expect(text).not.toMatch(/^(COPY (?!--from=)|ADD )/m);
    expect(text).toContain(`COPY --from=${name}-tree /root/tree /\n`);
    expect(stages.get(`${name}-tree`)?.text).toContain(`deploy/image/main.ts ${name} --out /root/tree`);
  });
});

test('OpenSSL is installed where the trees are laid out, and the service is told where it is', () => {
  expect(stages.get('installed')?.text).toMatch(/^RUN apt-get update && apt-get install .* openssl$/m);
  expect(stages.get('service')?.text).toContain('\nENV OPENSSL=/usr/bin/openssl\n');
});

test('the service runs nothing in its last stage, which has no shell', () => {
  expect(stages.get('service')?.text).not.toMatch(/^RUN /m);
});

test('what lays out the images, and what they are made of, comes into the build', () => {
  const lines = read('.dockerignore').split('\n');
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(lines).toContain('*');
  expect(lines).toEqual(expect.arrayContaining(['**/node_modules', '**/*.env']));
  const needed = filesOf('deploy/image/main.ts', 'deploy/image/program.ts');
  expect(needed.filter((file) => !included.some((entry) => file === entry || file.startsWith(`${entry}/`)))).toEqual(
    [],
  );
});
