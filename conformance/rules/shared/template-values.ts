/** Values that fit the variable_schema of a template, and values that break it in one way each. */

export interface Variable {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  enum?: unknown[];
  const?: unknown;
  format?: 'date';
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Variable;
  properties?: Record<string, Variable>;
  required?: string[];
}

export interface Schema {
  properties: Record<string, Variable>;
  required: string[];
}

function valueFor(variable: Variable): unknown {
  if (variable.const !== undefined) return variable.const;
  if (variable.enum) return variable.enum[0];
  switch (variable.type) {
    case 'boolean':
      return true;
    case 'integer':
      return Math.ceil(variable.minimum ?? Math.min(1, variable.maximum ?? 1));
    case 'number':
      return variable.minimum ?? Math.min(1, variable.maximum ?? 1);
    case 'array':
      return variable.items ? [valueFor(variable.items)] : [];
    case 'object':
      return objectFor(variable.properties ?? {}, Object.keys(variable.properties ?? {}));
    default:
      if (variable.format === 'date') return '2026-03-02';
      return 'Ә'.repeat(Math.max(variable.minLength ?? 0, Math.min(3, variable.maxLength ?? 3)));
  }
}

const objectFor = (properties: Record<string, Variable>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (properties[name] ? [[name, valueFor(properties[name])]] : [])));

/** A value for every variable, or only for the required ones. */
export const valuesFor = (schema: Schema, which: 'all' | 'required' = 'all'): Record<string, unknown> =>
  objectFor(schema.properties, which === 'all' ? Object.keys(schema.properties) : schema.required);

/** The name of a variable that takes this number; undefined if there is none. */
export const numberIn = ({ properties }: Schema, number: number): string | undefined =>
  Object.entries(properties).find(
    ([, { type, minimum = number, maximum = number, enum: choices, const: only }]) =>
      type === 'number' && choices === undefined && only === undefined && minimum <= number && number <= maximum,
  )?.[0];

/** Values that break the schema of a variable, each with a description. */
function breaches(variable: Variable): [what: string, value: unknown][] {
  const wrong: [string, unknown][] = [['another JSON type', variable.type === 'object' ? 1 : { a: 1 }]];
  if (variable.type !== 'boolean' && variable.type !== 'array') wrong.push(['a boolean', true]);
  wrong.push(['null', null]);
  if (variable.const !== undefined || variable.enum) {
    const strange = variable.type === 'string' ? 'no such choice' : variable.type === 'boolean' ? null : 987_654.5;
    wrong.push(['no such choice', strange]);
    return wrong;
  }
  if (variable.format === 'date') wrong.push(['a day that does not exist', '2026-02-30'], ['no date', '02.03.2026']);
  if (variable.minLength) wrong.push(['too short', 'x'.repeat(variable.minLength - 1)]);
  if (variable.maxLength !== undefined) wrong.push(['too long', 'x'.repeat(variable.maxLength + 1)]);
  if (variable.minimum !== undefined) wrong.push(['too small', variable.minimum - 1]);
  if (variable.maximum !== undefined) wrong.push(['too large', variable.maximum + 1]);
  if (variable.type === 'integer') wrong.push(['not whole', (variable.minimum ?? 0) + 0.5]);
  if (variable.type === 'array') wrong.push(['an entry of another type', [variable.items?.type === 'object' ? 1 : {}]]);
  return wrong;
}

export interface Breach {
  id: string;
  what: string;
  values: Record<string, unknown>;
}

/** Sets of values, each of which breaks the schema at one variable. */
export function brokenValues(schema: Schema): Breach[] {
  const right = valuesFor(schema);
  const without = (id: string) => Object.fromEntries(Object.entries(right).filter(([name]) => name !== id));
  return [
    ...schema.required.map((id) => ({ id, what: 'missing', values: without(id) })),
    ...Object.entries(schema.properties).flatMap(([id, variable]) =>
      breaches(variable).map(([what, value]) => ({ id, what, values: { ...right, [id]: value } })),
    ),
    { id: 'no_such_variable', what: 'an unknown variable', values: { ...right, no_such_variable: 'x' } },
  ];
}
