/** The fields of an employee's card and of its person, and the rules that follow their changes to the events. */
import type { MemberIds, RuleIds } from '../rule-info.ts';
import { answerOf, type InputSchema } from './contract-inputs.ts';
import type { PayloadKind } from './payload-fields.ts';

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

/** Rules that had a number before fields were followed one by one, by the field whose rule covers them. */
const NUMBERED: MemberIds = {
  'employee.employee_number': ['EVT-11', 'EMP-22'],
  'employee.status': ['EMP-52'],
  'person.phone': ['EVT-12'],
  'person.first_name': ['EVT-14', 'EVT-8'],
};
export const cardRule = (field: string): RuleIds => NUMBERED[field] ?? [`EVT-${field}`];

/** Rules that had a number before, by the payload whose rule covers them. */
const BATCHES: MemberIds = {
  'KEDO.EMPLOYEES': ['ING-34', 'ING-65'],
  'KEDO.PERSONS': ['ING-43', 'ING-58'],
};
export const batchRule = ({ name }: PayloadKind): RuleIds => BATCHES[name] ?? [`EVT-${name}`];
