/** A template as a file: JSON or YAML with `title`, `type`, `variable_schema` and `content`. */
import { parse, stringify } from 'yaml';
import { refuse } from '../../../conformance/command-line.ts';
import type { VariableSchema } from '../../../generated/client/types.gen.ts';
import { addFonts, fontsIn } from '../../../handlers/documents/pdf/faces.ts';
import { printProblems } from '../../../handlers/documents/pdf/filled-document.ts';
import { type Content, contentProblems } from '../../../handlers/documents/templates/content.ts';
import { fillProblems } from '../../../handlers/documents/templates/fill.ts';
import { schemaProblems } from '../../../handlers/documents/templates/schema.ts';
import { textProblem } from '../../../handlers/employees/write/fields.ts';
import type { GivenFile } from './values.ts';

export interface TemplateFile {
  readonly title: string;
  /** The id or exact title of the document type. */
  readonly type: string;
  readonly variable_schema: object;
  readonly content: object;
}

const FIELDS = ['title', 'type', 'variable_schema', 'content'];

function objectOf({ path, text }: GivenFile): Record<string, unknown> {
  let value: unknown;
  try {
    // The YAML parser reads JSON, too.
    value = parse(text);
  } catch (error) {
    return refuse(`The file ${path} is neither JSON nor YAML: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return refuse(`The file ${path} holds no template: it takes ${FIELDS.join(', ')}.`);
}

function titleProblem(title: unknown): string | null {
  if (typeof title !== 'string' || title.trim() === '') return 'must be a text';
  return title.length > 500 ? 'must have at most 500 characters' : textProblem(title);
}

/** What keeps a template of the right form from being printed, with the fonts that the server has, too. */
function printingProblems(content: Content, schema: VariableSchema, fontsDir: string | undefined): string[] {
  try {
    addFonts(fontsIn(fontsDir || undefined));
  } catch (error) {
    return [(error as Error).message];
  }
  return [...fillProblems(content, schema), ...printProblems(content, schema)];
}

/**
 * Reads a template and checks that it may be published (D-16, D-17).
 * @param fontsDir the folder that the server has as PDF_FONTS_DIR
 * @throws Failure (refused) that lists all problems
 */
export function readTemplate(file: GivenFile, fontsDir: string | undefined): TemplateFile {
  const { title, type, variable_schema, content, ...rest } = objectOf(file);
  const title_ = titleProblem(title);
  const inSchema = schemaProblems(variable_schema);
  const inContent = inSchema.length === 0 ? contentProblems(content, variable_schema as VariableSchema) : [];
  const isWhole = inSchema.length === 0 && inContent.length === 0;
  const problems = [
    ...Object.keys(rest).map((name) => `${name}: is not known; a template has ${FIELDS.join(', ')}`),
    ...(title_ === null ? [] : [`title: ${title_}`]),
    ...(typeof type === 'string' && type !== '' ? [] : ['type: must be the id or the title of a document type']),
    ...inSchema,
    ...inContent,
    ...(isWhole ? printingProblems(content as Content, variable_schema as VariableSchema, fontsDir) : []),
  ];
  if (problems.length > 0)
    refuse(`Nothing was published. The file ${file.path} has problems:\n  ${problems.join('\n  ')}`);
  return { title, type, variable_schema, content } as unknown as TemplateFile;
}

/** The text of a file: JSON if its name ends in `.json`, otherwise YAML. */
export function templateText(path: string, file: TemplateFile): string {
  return path.endsWith('.json') ? `${JSON.stringify(file, null, 2)}\n` : stringify(file, { lineWidth: 120 });
}
