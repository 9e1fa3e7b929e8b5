import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { operations } from '../../generated/contract.ts';
import { rules } from '../rules/all-rules.ts';
import { departures, departuresOf, proofsOf, statements } from './statements.ts';
import { thread } from './thread.ts';

const all = statements();
const proving = new Map(all.map((one) => [one, proofsOf(one).flat()]));

describe('a statement of the source', () => {
  test('has an id of its own, and a rule or a reason why none can prove it', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const fields = 'id text section under operations decisions departs rules families unproved'.split(' ');
    expect(all.flatMap(Object.keys).filter((name) => !fields.includes(name))).toEqual([]);
    const bare = all.filter((one) => proving.get(one)?.length === 0 && !one.unproved?.endsWith('.'));
    expect(bare).toEqual([]);
  });

  test('names operations, decisions, rules, families and departures that there are, each once', () => {
    const text = readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8');
    const { webhooks, 'x-decisions': decisions } = parse(text) as Record<string, object>;
    const events = [...JSON.stringify(webhooks).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    const known = new Set(['all', ...Object.keys(operations), ...events, ...Object.keys(decisions ?? {})]);
    const named = all.flatMap(({ operations = [], decisions = [] }) => [...operations, ...decisions]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const wrong = all.filter((one) => {
      const proof = proving.get(one);
      const isWhole = proofsOf(one).every(({ length }) => length > 0) && new Set(proof).size === proof?.length;
      return !isWhole || departuresOf(one).length !== (one.departs ?? []).length;
    });
    expect(wrong).toEqual([]);
  });

  test('names no rule that has called none of its operations when it was recorded, unless it judges every exchange', () => {
    const idle = [...proving].flatMap(([{ id, operations: named = [] }, proof]) => {
      const isAbout = (called: readonly string[]) => called.some((name) => named.includes(name));
      const idle = proof.filter(
        ({ family, needs }) => family !== 'every exchange' && !isAbout(needs?.operations ?? named),
      );
      return named.length > 0 && named.every((name) => Object.hasOwn(operations, name))
        ? idle.map((rule) => `${id}: ${rule.id}`)
        : [];
    });
    expect(idle).toEqual([]);
  });

  test('is there for each MUST that no decision asks for, and for each departure of a decision', () => {
    const proved = new Set([...proving.values()].flat());
    const alone = rules.filter((rule) => rule.level === 'MUST' && rule.decisions.length === 0 && !proved.has(rule));
    expect(alone.map(({ id }) => id)).toEqual([]);
    const declared = new Set(all.flatMap(departuresOf));
    expect(departures.filter((one) => !declared.has(one))).toEqual([]);
  });
});

test('the thread has the worst verdict of the rules of a statement, and names the rule that has it', () => {
  const verdicts = new Map(rules.map(({ id }) => [id, id === 'AUTH-sendDocument' ? 'FAIL' : 'PASS'] as const));
  const html = thread('https://docs', verdicts);
  const rowOf = (id: string) => new RegExp(`<tr id="statement-${id}".*?</tr>`, 's').exec(html)?.[0];
  const row = rowOf('key.every-request');
  expect(row).toContain('data-place="What the service does" data-verdict="FAIL " data-departs=""');
  expect(row).toContain('<a href="#rule-AUTH-sendDocument" rel="noreferrer">AUTH-sendDocument and 22 more</a>');
  expect(row).toContain('<a href="https://docs#/d-6" rel="noreferrer">D-6</a>');
  expect(rowOf('access.both')).toContain('data-verdict="PASS " data-departs="against"');
  expect(rowOf('sandbox.none')).toContain('data-verdict=" none"');
  expect(thread('')).not.toMatch(/data-tone|href="#rule/);
});

test('the filters show the rows that fit every choice, whose values may be of several words, and count them', () => {
  const row = (place: string, verdict: string, textContent: string) => ({
    dataset: { place, verdict },
    textContent,
    tagName: 'TR',
  });
  const rows = [row('Limits', 'PASS part', 'A PDF'), row('Endpoints', 'PASS ', 'a pdf'), row('Limits', ' none', 'pdf')];
  const [document, told] = [{ addEventListener: () => {}, querySelectorAll: () => rows }, { textContent: '' }];
  const fitted = (place: string, verdict: string, value: string) => {
    const elements = [
      { name: 'place', value: place },
      { name: 'verdict', value: verdict },
    ];
    const form = {
      dataset: {},
      elements: [...elements, { name: 'words', type: 'search', value }],
      querySelector: () => told,
      dispatchEvent: () => {},
    };
    const script = readFileSync(join(import.meta.dirname, 'filter.js'), 'utf8');
    runInNewContext(`${script}\nfit(form)`, { document, form, Event: class {} });
    return told.textContent;
  };
  expect(fitted('', '', '')).toBe('3 of 3 shown');
  expect(fitted('Limits', 'PASS', ' Pdf ')).toBe('1 of 3 shown');
  expect(rows).toMatchObject([{ hidden: false }, { hidden: true }, { hidden: true }]);
});
