/** Whether values fit the variables of a template's version (D-16, D-17). The schema is interpreted, never compiled. */
import { type Schema, validate } from '@cfworker/json-schema';
import type { ListVariable, ObjectVariable, ScalarVariable } from '../../../generated/client/types.gen.ts';
import { isDay } from '../../../generated/validators.js';
import { MAX_VIOLATIONS, type Violation } from '../../answers/errors.ts';
import { expectation } from '../../http/violations.ts';
import { parseSchema } from './schema.ts';
import { ENTRY_WEIGHT, LINE_WEIGHT, weightOf } from './weight.ts';

const MOST_NAME_LENGTH = 64;

/** The largest weight of the values: about 40 pages. */
export const LARGEST_VALUES = 100_000;

/** What of a variable's schema does not come from the contract, and may be in the template's language. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  enum: "must be one of the values that the template's variable_schema lists",
  const: "must be the one value that the template's variable_schema states",
};

function scalarProblem(schema: ScalarVariable, value: unknown): string | undefined {
  const { errors } = validate(value, schema as Schema, '2020-12', {});
  const isNoDay = schema.format === 'date' && typeof value === 'string' && !isDay(value);
  const keyword = isNoDay ? 'format' : (errors[0]?.keyword ?? '');
  if (keyword !== '') {
    const limit = schema[keyword as keyof ScalarVariable];
    const params = { limit, type: schema.type, format: schema.format };
    return NOT_SHOWN[keyword] ?? expectation({ keyword, params }, "the template's variable_schema");
  }
  // A larger number may have lost digits already, and would be printed differently from what was sent.
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    return `must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Properties = Readonly<Record<string, ScalarVariable | ListVariable>>;

/** Checks values against their schema, and stops once enough violations are found. */
class Findings {
  readonly violations: Violation[] = [];

  get full(): boolean {
    return this.violations.length >= MAX_VIOLATIONS;
  }

  add(field: string, description: string): void {
    if (!this.full) this.violations.push({ field, description });
  }

  object(path: string, noun: string, { properties, required }: Shape, value: Record<string, unknown>): void {
    for (const name of required) if (!Object.hasOwn(value, name)) this.add(`${path}.${name}`, 'is required');
    for (const [name, schema] of Object.entries(properties)) {
      if (this.full) return;
      if (Object.hasOwn(value, name)) this.variable(`${path}.${name}`, schema, value[name]);
    }
    for (const name of Object.keys(value)) {
      if (this.full) return;
      if (!Object.hasOwn(properties, name)) {
        this.add(`${path}.${name.slice(0, MOST_NAME_LENGTH)}`, `is not a ${noun} of this template version`);
      }
    }
  }

  list(path: string, { items }: ListVariable, value: readonly unknown[]): void {
    for (const [nth, item] of value.entries()) {
      if (this.full) return;
      this.variable(`${path}[${nth}]`, items, item);
    }
  }

  variable(path: string, schema: ScalarVariable | ListVariable | ObjectVariable, value: unknown): void {
    if (schema.type === 'array') {
      if (Array.isArray(value)) this.list(path, schema, value);
      else this.add(path, 'must be an array');
    } else if (schema.type === 'object') {
      if (isObject(value)) this.object(path, 'field', schema, value);
      else this.add(path, 'must be an object');
    } else {
      const problem = scalarProblem(schema, value);
      if (problem !== undefined) this.add(path, problem);
    }
  }
}

interface Shape {
  readonly properties: Properties;
  readonly required: readonly string[];
}

/** Roughly how many characters of a page a value fills; it stops counting above the limit. */
function cost(value: unknown, budget: number): number {
  if (typeof value === 'string') return weightOf(value);
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const part of Object.values(value)) {
    sum += ENTRY_WEIGHT + cost(part, budget - sum);
    if (sum > budget) break;
  }
  return sum;
}

/**
 * What is wrong with the values for a template's version: violations named `template_values.<id>`, and deeper ones
 * `template_values.<id>[2].<field>`; at most 20.
 * @param schemaText the version's `variable_schema`, as it is stored
 * @param values what the caller sent
 */
export function templateValueViolations(schemaText: string, values: unknown): Violation[] {
  const findings = new Findings();
  if (!isObject(values)) findings.add('template_values', 'must be an object');
  else findings.object('template_values', 'variable', parseSchema(schemaText), values);
  return findings.violations;
}

const TOO_MUCH =
  `must have at most ${LARGEST_VALUES} characters in all, where a line break counts as ${LINE_WEIGHT}, ` +
  `a value or list entry as ${ENTRY_WEIGHT} more`;

/** What is wrong with the size of the values, whatever their template is: at most one violation. */
export function sizeViolations(values: object): Violation[] {
  return cost(values, LARGEST_VALUES) > LARGEST_VALUES ? [{ field: 'template_values', description: TOO_MUCH }] : [];
}
