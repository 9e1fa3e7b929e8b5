import profileSchema from '../../../conformance/profile.schema.json' with { type: 'json' };
import type { Json } from '../read.ts';
import { keyText, literal } from './literal.ts';

interface ProfileSchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly items?: ProfileSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ProfileSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ProfileSchema;
}

/** The fields of an object, each with its description. */
function fieldsOf({ properties = {}, required = [] }: ProfileSchema, pad: string): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description === undefined ? '' : `${pad}/** ${schema.description} */\n`;
    return `${comment}${pad}${keyText(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, pad)};\n`;
  });
  return lines.join('');
}

/** A schema as a type. A list of a fixed length is a tuple. */
function typeOf(schema: ProfileSchema, pad: string): string {
  const { type = 'unknown', items = {}, properties, additionalProperties: others } = schema;
  const constants = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (constants.length > 0) return constants.map((value) => literal(value)).join(' | ');
  if (typeof type !== 'string') return type.map((each) => typeOf({ ...schema, type: each }, pad)).join(' | ');
  if (type === 'array') {
    const item = typeOf(items, pad);
    const isFixed = schema.minItems !== undefined && schema.minItems === schema.maxItems;
    if (isFixed) return `[${Array.from({ length: schema.minItems }, () => item).join(', ')}]`;
    return item.includes('|') ? `(${item})[]` : `${item}[]`;
  }
  if (properties) return `{\n${fieldsOf(schema, `${pad}  `)}${pad}}`;
  if (typeof others === 'object') return `Record<string, ${typeOf(others, pad)}>`;
  return type === 'integer' ? 'number' : type;
}

/** The text of generated/profile.ts: the profile of the suite, as its schema describes it. */
export const profileModule =
  (): string => `// Made from conformance/profile.schema.json by \`npm run generate\`; never edited by hand. A file with a profile.

/** ${profileSchema.description} */
export interface ProfileFile {
${fieldsOf(profileSchema as ProfileSchema, '  ')}}
`;
