import { describe, expect, test } from '@jest/globals';
import { contentProblems, parseContent } from '../../../handlers/documents/templates/content.ts';
import { parseSchema, schemaProblems } from '../../../handlers/documents/templates/schema.ts';
import { randomOf } from '../../kit/random.ts';
import { inventCatalogue } from './catalogue.ts';

const { document_template_versions: versions } = inventCatalogue('t', randomOf('contents'));

describe('the invented templates', () => {
  test('can be published, every version of them', () => {
    for (const { _id, variable_schema, content } of versions) {
      const schema = parseSchema(variable_schema);
      expect({ _id, problems: schemaProblems(schema) }).toEqual({ _id, problems: [] });
      expect({ _id, problems: contentProblems(parseContent(content), schema) }).toEqual({ _id, problems: [] });
    }
  });
});
