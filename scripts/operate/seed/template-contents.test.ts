import { describe, expect, test } from '@jest/globals';
import { contentProblems, parseContent } from '../../../handlers/documents/templates/content.ts';
import { parseSchema, schemaProblems } from '../../../handlers/documents/templates/schema.ts';
import { inventCatalogue } from './catalogue.ts';
import { randomOf } from './random.ts';

const { document_templates, document_template_versions: versions } = inventCatalogue('t', randomOf('contents'));

describe('the invented templates', () => {
  test('can be published, every version of them', () => {
    for (const { _id, variable_schema, content } of versions) {
      const schema = parseSchema(variable_schema);
      expect({ _id, problems: schemaProblems(schema) }).toEqual({ _id, problems: [] });
      expect({ _id, problems: contentProblems(parseContent(content), schema) }).toEqual({ _id, problems: [] });
    }
  });

  test('print some text, and every required variable', () => {
    for (const { _id, variable_schema, content = '' } of versions) {
      expect(parseContent(content).blocks.length).toBeGreaterThan(3);
      for (const name of parseSchema(variable_schema).required) {
        expect({ _id, name, printed: content.includes(`{{${name}}}`) }).toEqual({ _id, name, printed: true });
      }
    }
  });

  test('are in Russian and in Kazakh', () => {
    const locales = document_templates.map(({ _id, version }) => {
      const row = versions.find((one) => one._id === `${_id}:${version}`);
      return parseContent(row?.content ?? '[]').locale;
    });
    expect(new Set(locales)).toEqual(new Set(['ru', 'kk']));
  });
});
