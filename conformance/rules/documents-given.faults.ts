/** Faults that the rules of documents-given.rules.ts must catch: the same ones for each field. */
import { bodies, drop, parse, put, refuses, showing } from '../mutation/alter.ts';
import { shown } from '../mutation/alter-documents.ts';
import { type Fault, type FaultRows, faultsFor } from '../mutation/fault.ts';
import { componentSchema, inputsOf } from './shared/contract-inputs.ts';

const fields = inputsOf('createDocument').fields.filter(({ path, name }) => path === name);
const documentFields = componentSchema('Document').fields.map(({ name }) => name);

/** Another value of the same JSON type. */
const other = (value: unknown): unknown => (Array.isArray(value) ? value.toReversed().slice(0, 1) : `${value} x`);

const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A field that documents show. */
const ofShown = (name: string): FaultRows => ({
  list: ['is another one in lists', showing('listDocuments', `documents[].${name}`, other)],
  read: ['is another one when it is read', showing('getDocument', `document.${name}`, other)],
});

/** A field that may be left out. */
const ofOptional = (name: string): FaultRows => ({
  empty: [
    'must not be null or empty',
    refuses('createDocument', 'INVALID_ARGUMENT', (asked) => isEmpty(parse(asked.body)?.[name])),
  ],
});

/** What only one field can have wrong. */
const ofOne: Readonly<Record<string, FaultRows>> = {
  title: {
    'not-made': [
      'is answered, and the document is not made',
      showing('createDocument', 'document.id', () => crypto.randomUUID()),
    ],
  },
  number: {
    'null-as-text': [
      'is a text where it was null',
      bodies('createDocument', (body) => {
        if (body.number === null) body.number = 'null';
      }),
    ],
  },
  file_id: {
    'other-file': ['is not the file of the document', shown(put('files[].file_id', () => crypto.randomUUID()))],
  },
};

export const faults: readonly Fault[] = fields.flatMap(({ name, required }) => {
  const isShown = documentFields.includes(name);
  const wrongs: FaultRows = {
    ...(isShown && ofShown(name)),
    ...(!required && ofOptional(name)),
    ...(isShown && !required && { lost: ['is lost', bodies('createDocument', drop(name))] }),
    ...ofOne[name],
  };
  return faultsFor(`DOC-given.${name}`, wrongs, name, (kind) => `doc-given-${kind}-${name}`);
});
