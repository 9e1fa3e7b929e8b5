/**
 * The subset of JSON Schema in which a template describes its variables (D-16), as the contract's VariableSchema shows
 * it.
 */
import { z } from 'zod';
import type { ScalarVariable, VariableSchema } from '../../../generated/client/types.gen.ts';

/** Variable ids and field names: what a placeholder can name, without names that are special in JavaScript. */
export const NAME = /^(?!constructor$|prototype$|document$)[A-Za-z][A-Za-z0-9_]{0,63}$/;

const MOST_VARIABLES = 100;
const MOST_FIELDS = 20;
const MOST_CHOICES = 200;
const LARGEST_SCHEMA = 65_536;

const label = z.string().min(1).max(500).optional();
const explanation = z.string().min(1).max(2000).optional();
const value = z.union([z.string(), z.number(), z.boolean()], { error: 'must be text, a number or true or false' });
const length = z.int().min(0).max(1_000_000).optional();

const TYPED: Readonly<Record<string, readonly string[]>> = {
  format: ['string'],
  minLength: ['string'],
  maxLength: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
};

/** Faults that the shape cannot express: keywords of another type, choices of another type, minimum above maximum. */
function contradictions(variable: ScalarVariable): [path: string, problem: string][] {
  const { type, minLength, maxLength, minimum, maximum } = variable;
  const problems: [string, string][] = Object.entries(TYPED)
    .filter(([keyword, types]) => Object.hasOwn(variable, keyword) && !types.includes(type))
    .map(([keyword, types]) => [keyword, `stands only beside type ${types.join(' or ')}`]);
  const fits = (one: unknown) =>
    type === 'integer' ? Number.isSafeInteger(one) : type === 'number' ? Number.isFinite(one) : typeof one === type;
  for (const [nth, choice] of (variable.enum ?? []).entries()) {
    if (!fits(choice)) problems.push([`enum[${nth}]`, `is not of type ${type}`]);
  }
  if (new Set(variable.enum).size !== (variable.enum ?? []).length) problems.push(['enum', 'names a value twice']);
  if (variable.const !== undefined && !fits(variable.const)) problems.push(['const', `is not of type ${type}`]);
  if ((minLength ?? 0) > (maxLength ?? minLength ?? 0)) problems.push(['minLength', 'is above maxLength']);
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    problems.push(['minimum', 'is above maximum']);
  }
  return problems;
}

const scalar = z
  .strictObject({
    type: z.enum(['string', 'number', 'integer', 'boolean']),
    title: label,
    description: explanation,
    enum: z.array(value).min(1).max(MOST_CHOICES).optional(),
    const: value.optional(),
    format: z.literal('date').optional(),
    minLength: length,
    maxLength: length,
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  })
  .superRefine((variable, context) => {
    for (const [keyword, message] of contradictions(variable as ScalarVariable)) {
      context.addIssue({ code: 'custom', path: [keyword], message });
    }
  });

function objectOf(property: z.ZodType, most: number) {
  return z
    .strictObject({
      type: z.literal('object'),
      title: label,
      description: explanation,
      properties: z.record(z.string(), property),
      required: z.array(z.string()),
      additionalProperties: z.literal(false),
    })
    .superRefine(({ properties, required }, context) => {
      const add = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
      const names = Object.keys(properties);
      if (names.length > most) add(['properties'], `holds more than ${most} entries`);
      for (const name of names) {
        if (!NAME.test(name)) {
          add(['properties', name], 'has an unfit name: it takes 1 to 64 Latin letters, digits and _, a letter first');
        }
      }
      for (const [nth, name] of required.entries()) {
        if (!Object.hasOwn(properties, name)) add(['required', nth], 'names nothing in properties');
        if (required.indexOf(name) !== nth) add(['required', nth], 'stands there twice');
      }
    });
}

const entry = z.discriminatedUnion('type', [scalar, objectOf(scalar, MOST_FIELDS)]);
const list = z.strictObject({ type: z.literal('array'), title: label, description: explanation, items: entry });
const schemaShape = objectOf(z.discriminatedUnion('type', [scalar, list]), MOST_VARIABLES);

/** `properties.allowances.items.required[0]` */
export function pathOf(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>(
    (path, part) => (typeof part === 'number' ? `${path}[${part}]` : path ? `${path}.${String(part)}` : String(part)),
    '',
  );
}

/** Zod's findings as sentences for the person who wrote the file. */
export function problemsOf(error: z.ZodError, root: string): string[] {
  return error.issues.map(({ path, message }) => `${pathOf(path) || root}: ${message}`);
}

/**
 * The problems of a schema that is not in the allowed subset (D-16), checked when a version is published.
 * @param schema the parsed JSON, of any form
 * @returns a sentence for each problem; none for a schema that may be published
 */
export function schemaProblems(schema: unknown): string[] {
  // Zod ignores a key of this name, so it would be published unchecked.
  const text = JSON.stringify(schema) ?? '';
  if (text.length > LARGEST_SCHEMA) return [`variable_schema: is larger than ${LARGEST_SCHEMA} characters`];
  if (text.includes('"__proto__":')) return ['variable_schema: holds a key __proto__'];
  const result = schemaShape.safeParse(schema);
  return result.success ? [] : problemsOf(result.error, 'variable_schema');
}

/** A schema as stored: it was checked when it was published. */
export function parseSchema(schemaText: string): VariableSchema {
  return JSON.parse(schemaText) as VariableSchema;
}
