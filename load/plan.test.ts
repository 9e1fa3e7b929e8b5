import { describe, expect, test } from '@jest/globals';
import { operations } from '../generated/contract.ts';
import { type Facts, PlanRefused, planFor } from './plan.ts';
import { journeys, type ScenarioName, scenarios } from './scenarios.ts';
import { facts } from './testing/facts.ts';

const names = Object.keys(scenarios) as ScenarioName[];
const plan = (name: ScenarioName, more: Partial<Facts> = {}, options = {}) =>
  planFor(name, { ...facts, ...more }, options, 'run');

describe('where load may go', () => {
  test.each(['http://127.0.0.1:80', 'http://localhost:8080', 'http://[::1]:9', 'http://127.9.9.9'])(
    '%s is this machine',
    (baseUrl) => expect(plan('smoke', { baseUrl }).baseUrl).toBe(baseUrl),
  );

  test.each([
    'https://api.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
    'http://localhost.example',
    'http://127.0.0.1@api.example',
    'http://0.0.0.0:8080',
  ])('%s is elsewhere, and refused', (baseUrl) => {
    expect(() => plan('smoke', { baseUrl })).toThrow(/does not consent to load/);
  });

  test('consent names exactly the host with its port', () => {
    const baseUrl = 'https://api.example:8443';
    expect(plan('smoke', { baseUrl, loadConsent: 'api.example:8443' }).keys).toBe(1);
    for (const loadConsent of ['api.example', 'example', '*', 'other.example:8443', '']) {
      expect(() => plan('smoke', { baseUrl, loadConsent })).toThrow(PlanRefused);
    }
  });
});

describe('keys', () => {
  test.each([
    [8, 1],
    [9, 2],
    [64, 8],
  ])('%d requests a second take %d', (rate, keys) => {
    expect(plan('walk', {}, { rate }).keys).toBe(keys);
  });

  test('too few are refused with how many are needed', () => {
    expect(() => plan('walk', {}, { rate: 65 })).toThrow(/needs 9 keys.*has 8.*--rate 64/);
    expect(() => plan('burst', { hasLoadKey: false })).toThrow(/keys\.load/);
  });

  test('each scenario fits a profile of eight keys as it is', () => {
    for (const name of names) expect(plan(name).keys).toBeLessThanOrEqual(8);
  });
});

describe('writes', () => {
  test('need consent, and room', () => {
    expect(() => plan('day', { consentToWrites: false })).toThrow(/consent_to_writes/);
    expect(() => plan('day', { maxWrites: 10 })).toThrow(/max_writes of the profile is 10/);
    expect(() => plan('soak', {}, { durationS: 86_400 })).toThrow(/max_writes/);
  });

  test('are zero if a scenario only reads', () => {
    for (const name of ['smoke', 'walk', 'burst', 'spike', 'breakpoint'] as const) {
      expect(plan(name, { consentToWrites: false, maxWrites: 0 }).writes).toBe(0);
    }
  });
});

describe('the options for k6', () => {
  interface Part {
    rate: number;
    timeUnit: string;
    duration: string;
    startTime: string;
  }
  const parts = (name: ScenarioName, options = {}) => plan(name, {}, options).k6.scenarios as Record<string, Part>;
  const milliseconds = (text: string) => Number(text.replace('ms', ''));

  test('journeys start as often as the rate of requests needs', () => {
    const { journeys: rotation } = plan('day');
    const cost = rotation.reduce((sum, name) => sum + journeys[name].requests, 0) / rotation.length;
    const { steady } = parts('day', { rate: 24 });
    expect((steady?.rate ?? 0) * cost * (1000 / milliseconds(steady?.timeUnit ?? ''))).toBeCloseTo(24, 1);
  });

  test('the search for the breaking point raises the rate step by step', () => {
    const steps = Object.entries(parts('breakpoint', { rate: 20, durationS: 30 }));
    expect(steps.map(([name, { rate, startTime, duration }]) => [name, rate, startTime, duration])).toEqual([
      ['at_0008', 8, '0ms', '10000ms'],
      ['at_0016', 16, '10000ms', '10000ms'],
      ['at_0020', 20, '20000ms', '10000ms'],
    ]);
  });

  test('a spike is six times the rate before and after it', () => {
    const { calm, spike, recovered } = parts('spike');
    expect([calm?.rate, spike?.rate, recovered?.rate]).toEqual([8, 48, 8]);
  });

  test('journeys are chosen by their weights, and those that the profile lacks something for are left out', () => {
    const count = (rotation: readonly string[], name: string) => rotation.filter((one) => one === name).length;
    const { journeys: all } = plan('day');
    expect([count(all, 'reads'), count(all, 'document'), count(all, 'webhook')]).toEqual([8, 2, 1]);
    const { webhook_endpoint_id: _, ...fixtures } = facts.fixtures;
    const { journeys: fewer } = plan('day', { fixtures, capabilities: ['1.5'] });
    expect([count(fewer, 'webhook'), count(fewer, 'upload'), count(fewer, 'ingest'), count(fewer, 'document')]).toEqual(
      [0, 0, 0, 2],
    );
    expect(() => plan('spike', { fixtures: {}, capabilities: [] }).journeys).not.toThrow();
  });

  test('each paced scenario fails when load was not generated, when an operation is slow, and when it is refused', () => {
    for (const name of names.filter((one) => one !== 'burst')) {
      const { journeys: rotation, k6 } = plan(name, {}, { p95Ms: 77 });
      expect(k6.thresholds).toMatchObject({ dropped_iterations: ['count==0'], unexpected_429: ['count==0'] });
      for (const operation of new Set(rotation.flatMap((one) => journeys[one].operations))) {
        expect(k6.thresholds[`http_req_duration{name:${operation}}`]).toEqual(['p(95)<77']);
      }
    }
  });

  test('every operation of the contract is in a journey, except creating and deleting endpoints and listing the rest', () => {
    const used = new Set<string>(Object.values(journeys).flatMap(({ operations: some }) => some));
    const unused = Object.keys(operations).filter((name) => !used.has(name));
    expect(unused.toSorted()).toEqual(
      [
        'createWebhookEndpoint',
        'deleteWebhookEndpoint',
        'getDocumentTemplate',
        'listDocumentCategories',
        'listLoginMethods',
        'rejectDocument',
      ].toSorted(),
    );
  });
});

test('burst is one probe, whatever the options say', () => {
  expect(plan('burst').requests).toBe(105);
  expect(() => plan('burst', {}, { rate: 5 })).toThrow(/neither --rate nor --duration/);
});
