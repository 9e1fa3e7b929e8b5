/** The fields of an employee's card and of its person, and the rules that follow their changes to the events. */
import { answerOf, type InputSchema } from './contract-inputs.ts';

/** Fields of a person that say who it is. */
export const OF_IDENTITY = ['first_name', 'last_name', 'middle_name', 'iin'].map((name) => `person.${name}`);
/** What nobody changes, or what is made of other fields. */
const MADE_OF_OTHERS = ['id', 'create_time', 'update_time', 'redacted_fields', 'full_name'];

const namesOf = (holder: string, { fields }: InputSchema): string[] =>
  fields
    .filter(({ name, schema }) => !MADE_OF_OTHERS.includes(name) && schema.fields.length === 0)
    .map(({ name }) => `${holder}.${name}`);

const inAnswer = answerOf('getEmployee').fields[0]?.schema ?? answerOf('getEmployee');
const personIn = inAnswer.fields.find(({ name }) => name === 'person')?.schema ?? inAnswer;
/** Every field of a card and of its person, such as `person.phone`. */
export const CARD_FIELDS = [...namesOf('employee', inAnswer), ...namesOf('person', personIn)];
