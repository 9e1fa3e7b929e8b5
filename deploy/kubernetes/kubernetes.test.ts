/** The manifests: what they promise, and whether they are what Kubernetes takes, where the tools are there. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import ipaddr from 'ipaddr.js';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { readConfig } from '../../handlers/runtime/config.ts';
import { LONGEST_STOP_MS } from '../../handlers/runtime/stop-deadline.ts';
import { isPublic } from '../../handlers/webhooks/outbound/addresses.ts';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { onPath } from '../../scripts/kit/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: manifests have no types here; the schemas judge them
type Manifest = any;

const manifestsIn = (text: string): Manifest[] => parseAllDocuments(text).map((each) => each.toJSON());
const named = (manifests: readonly Manifest[], kind: string, name: string): Manifest =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name);

const pod = parse(read('base/pod.yaml')).spec.template.spec;
const [process] = pod.containers;
const checkPod = parse(read('base/check.yaml')).spec.jobTemplate.spec.template.spec;
const overlay = parse(read('example/kustomization.yaml'));

describe('the policy for events', () => {
  const [{ to, ports }] = named(manifestsIn(read('base/network.yaml')), 'NetworkPolicy', 'developer-api-to-receivers')
    .spec.egress;
  const holds = (cidr: string, address: ipaddr.IPv4 | ipaddr.IPv6) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === address.kind() && address.match([network, bits] as [ipaddr.IPv4, number]);
  };
  const isAllowed = (text: string) => {
    const address = ipaddr.parse(text);
    return to.some(
      ({ ipBlock }: Manifest) =>
        holds(ipBlock.cidr, address) && !ipBlock.except.some((cidr: string) => holds(cidr, address)),
    );
  };
  /** The first and the last address of a range, and those beside it. */
  const edges = ([first, bits]: readonly [ipaddr.IPv4 | ipaddr.IPv6, number]) => {
    const bytes = first.toByteArray();
    const length = BigInt(bytes.length * 8);
    const start = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    const end = start + (1n << (length - BigInt(bits))) - 1n;
    return [start - 1n, start, end, end + 1n]
      .filter((value) => value >= 0n && value < 1n << length)
      .map((value) => bytes.map((_, nth) => Number((value >> (length - 8n * BigInt(nth + 1))) & 255n)))
      .map((each) => ipaddr.fromByteArray(each).toString());
  };

  test('lets them leave to exactly the addresses that the service takes for public, on the ports of endpoints', () => {
    const special = [ipaddr.IPv4, ipaddr.IPv6].flatMap((kind) =>
      Object.values((kind.prototype as Manifest).SpecialRanges as Record<string, Manifest[]>).flatMap((ranges) =>
        Array.isArray(ranges[0]) ? ranges : [ranges],
      ),
    ) as [ipaddr.IPv4, number][];
    const excepted = to.flatMap(({ ipBlock }: Manifest) =>
      [ipBlock.cidr, ...ipBlock.except].map((each) => ipaddr.parseCIDR(each)),
    );
    const addresses = [...special, ...excepted].flatMap(edges);
    const wrong = addresses.filter((address) => isAllowed(address) !== isPublic(address));
    expect(wrong).toEqual([]);
    expect(addresses.length).toBeGreaterThan(200);
    expect(
      ['169.254.169.254', '168.63.129.16', '10.0.0.1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1'].filter(
        isAllowed,
      ),
    ).toEqual([]);
    expect(['93.184.215.14', '2606:4700::1111'].filter((address) => !isAllowed(address))).toEqual([]);
    expect(ports).toEqual([
      { protocol: 'TCP', port: 443 },
      { protocol: 'TCP', port: 1024, endPort: 65_535 },
    ]);
  });
});

test('the variables of the pods and of the example are a configuration that the server starts with', () => {
  const secrets = temporaryFolder('kubernetes-');
  const key = Buffer.from(Array.from({ length: 32 }, (_, nth) => nth)).toString('base64url');
  const values: Readonly<Record<string, string>> = { 'mongodb-uri': 'mongodb://db.example/' };
  const ofPod = Object.fromEntries(
    process.env.map(({ name, value }: Manifest) => {
      if (!name.endsWith('_FILE')) return [name, value];
      const file = join(secrets, basename(value));
      writeFileSync(file, values[basename(value)] ?? key);
      return [name, file];
    }),
  );
  const literals = overlay.configMapGenerator[0].literals.map((each: string) => each.split(/=(.*)/).slice(0, 2));
  const read = readConfig({ ...ofPod, ...Object.fromEntries(literals), HOST: '0.0.0.0', ROLE: 'api' });
  expect('problems' in read ? read.problems : []).toEqual([]);
  const { config } = read as Extract<typeof read, { config: unknown }>;
  const port = (name: string) => process.ports.find((each: Manifest) => each.name === name).containerPort;
  expect({ http: config.PORT, metrics: config.METRICS_PORT }).toEqual({ http: port('http'), metrics: port('metrics') });
});

test('the check runs as the processes do', () => {
  const { containers, terminationGracePeriodSeconds: _, ...ofPod } = pod;
  const { containers: ofCheck, restartPolicy: __, ...ofCheckPod } = checkPod;
  expect(ofCheckPod).toEqual(ofPod);
  for (const field of ['image', 'envFrom', 'env', 'securityContext', 'volumeMounts']) {
    expect(ofCheck[0][field]).toEqual(containers[0][field]);
  }
});

test('a process can write to /tmp, where signatures are judged', () => {
  expect(process.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
  expect(pod.volumes).toContainEqual({ name: 'tmp', emptyDir: expect.anything() });
  const { services } = parse(readFileSync(join(root, 'deploy/compose/compose.yaml'), 'utf8'), { merge: true });
  for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2']) expect(services[name].tmpfs).toEqual(['/tmp']);
});

test('a pod that ends has the time that a stop may take', () => {
  const before = process.lifecycle.preStop.sleep.seconds;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(before + LONGEST_STOP_MS / 1_000);
});

test('the image of the example is that of the release', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(overlay.images).toEqual([expect.objectContaining({ name: process.image, newTag: version })]);
});

/** The alerts as the Prometheus operator takes them. */
const prometheusRule = (): Manifest =>
  parse(read('rules-head.yaml') + read('../monitoring/alerts.yml').replaceAll(/^/gm, '  '));

describe('what Kubernetes takes', () => {
  const kubectl = onPath('kubectl', globalThis.process.env);
  const validate = onPath('kubernetes-validate', globalThis.process.env);
  const definitions = operatorDefinitions();
  const rendered = (): string =>
    execFileSync(kubectl ?? '', ['kustomize', join(import.meta.dirname, 'example')], { encoding: 'utf8' });
  if (kubectl === undefined) test.skip('DID NOT RUN: kubectl is not on the PATH', () => {});
  if (validate === undefined) test.skip('DID NOT RUN: kubernetes-validate is not on the PATH', () => {});
  if (definitions === undefined)
    test.skip('DID NOT RUN: the definitions of the Prometheus operator are not there', () => {});

  (kubectl ? test : test.skip)('the example has all pods by the rules of restricted ones, and spreads them', () => {
    const manifests = manifestsIn(rendered());
    for (const name of ['developer-api-api', 'developer-api-worker']) {
      const { spec } = named(manifests, 'Deployment', name).spec.template;
      expect(spec.containers).toHaveLength(1);
      expect(spec.containers[0]).toMatchObject({ image: expect.stringMatching(/:[\d.]+$/), resources: { limits: {} } });
      expect(spec.securityContext.runAsNonRoot).toBe(true);
      expect(spec.topologySpreadConstraints).toHaveLength(2);
    }
    const configMap = manifests.find(({ kind }) => kind === 'ConfigMap').metadata.name;
    const referred = JSON.stringify(manifests).match(/"configMapRef":\{"name":"[^"]+"/g) ?? [];
    expect(referred).toEqual(Array(3).fill(`"configMapRef":{"name":"${configMap}"`));
  });

  (kubectl && validate ? test : test.skip)('the example by the published schemas, strictly', () => {
    const folder = temporaryFolder('kubernetes-');
    const known = manifestsIn(rendered()).filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.coreos.com/'));
    writeFileSync(join(folder, 'all.yaml'), known.map((each) => stringify(each)).join('---\n'));
    const said = execFileSync(validate ?? '', ['--strict', join(folder, 'all.yaml')], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(said.match(/ passed for resource /g)).toHaveLength(known.length);
  });

  (definitions ? test : test.skip)('the monitor and the alerts by the definitions of the Prometheus operator', () => {
    const monitor = named(manifestsIn(read('base/monitoring.yaml')), 'ServiceMonitor', 'developer-api');
    for (const manifest of [monitor, prometheusRule()]) {
      const [version] = parse(readFileSync(definitions?.(manifest.kind) ?? '', 'utf8')).spec.versions;
      const ajv = new Ajv({ strict: false, validateFormats: false });
      const check = ajv.compile(closed(version.schema.openAPIV3Schema) as object);
      check(manifest);
      expect(check.errors).toBe(null);
    }
  });
});

/** A schema that takes no field that it does not name, as `kubectl apply` does by default. Patterns are written for Go. */
function closed(schema: Manifest): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'pattern' || typeof value !== 'string');
  const parts = Object.fromEntries(entries.map(([key, value]) => [key, closed(value)]));
  const isOpen =
    schema.properties === undefined || schema.additionalProperties !== undefined || schema.properties.apiVersion;
  return isOpen ? parts : { ...parts, additionalProperties: false };
}

/** Where Go's module cache has the definitions of the operator. @returns a file for a kind, undefined without the module */
function operatorDefinitions(): ((kind: string) => string) | undefined {
  const go = onPath('go', globalThis.process.env);
  if (go === undefined) return undefined;
  const module = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
  const env = { ...globalThis.process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod' };
  try {
    const said = execFileSync(go, ['mod', 'download', '-json', module], {
      encoding: 'utf8',
      stdio: 'pipe',
      env,
      cwd: '/',
    });
    const folder = join(JSON.parse(said).Dir, 'example/prometheus-operator-crd');
    return (kind) => join(folder, `monitoring.coreos.com_${kind.toLowerCase()}s.yaml`);
  } catch {
    return undefined;
  }
}
