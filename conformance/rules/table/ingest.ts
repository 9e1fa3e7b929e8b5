/** ING: loading the organisation structure in bulk. */
import { needing, type Rule, row } from '../rule.ts';

const op = 'ingestRecords';
const built = needing([op]);

/** A rule about the answers to requests. */
const asked = (id: string, text: string, extra: Parameters<typeof built>[3] = {}): Rule =>
  built(id, text, op, { decisions: ['D-29'], ...extra });

/** A rule about the effect of a batch: the batch changes employees of the tenant. */
const loads = (id: string, text: string, place: string, extra: Parameters<typeof built>[3] = {}): Rule =>
  built(id, text, place, { decisions: ['D-29'], tenant: 'changes', ...extra });

const records = `${op}: Create or update`;
const bad = `${op}: Bad records`;
const references = `${op}: References`;
const ledger = `${op}: LEDGER`;
const dates = `${op}: Status by dates`;
const results = `${op}: Results`;

const events = { needs: { callbacks: true as const } };

export const ingestRules: readonly Rule[] = [
  asked(
    'ING-1',
    'Without an Idempotency-Key, or with an empty or repeated one, a batch is 400 INTEGRATION.IDEMPOTENCY_REQUIRED.',
  ),
  asked('ING-2', 'An accepted batch is a 200 with an id of its own, ACCEPTED and the number of its records.'),
  asked('ING-3', 'A repeat with a used key is 409 INTEGRATION.IDEMPOTENCY_REQUIRED with the first attempt’s id.'),
  asked('ING-4', 'So is a repeat with another body or another source.'),
  asked('ING-5', 'An Idempotency-Key belongs to the API key: another key of the same owner may use it.', {
    needs: { keys: ['second_key_same_owner', 'ingest_write'] },
  }),
  asked('ING-6', 'An Idempotency-Key is used up for 24 hours and free again after them.', { needs: { clock: true } }),
  asked('ING-7', 'Of twenty requests at once with one key one is accepted; the others are told its id.'),
  asked('ING-8', 'A refused request uses its key not up.', { needs: { keys: ['no_scope'] } }),
  loads('ING-9', 'A batch of an unknown source is accepted and changes nothing.', op),
  loads('ING-10', 'A batch of an unknown payload type is accepted and changes nothing.', op),
  loads('ING-11', 'A payload type of the other source is accepted and changes nothing.', op),
  loads('ING-12', 'KEDO / PERSONS loads persons.', 'KedoPersonRecord'),
  loads('ING-13', 'KEDO / ORGANIZATIONS loads organisations that employees can be of.', 'KedoOrganizationRecord'),
  loads('ING-14', 'KEDO / DEPARTMENTS loads departments.', 'KedoDepartmentRecord'),
  loads('ING-15', 'KEDO / EMPLOYEES loads employees.', 'KedoEmployeeRecord'),
  loads('ING-16', 'KEDO / JOB_TITLES loads job titles.', 'KedoJobTitleRecord'),
  loads('ING-17', 'LEDGER / EMPLOYEES_FULL loads employees with their persons.', 'LedgerEmployeeRecord'),
  loads('ING-18', 'LEDGER / DEPARTMENTS loads departments.', 'LedgerDepartmentRecord'),
  loads('ING-19', 'With create_missing false a record with a new external id makes nothing.', records),
  loads('ING-20', 'With create_missing true a record with a new external id makes its object.', records),
  loads('ING-21', 'A known external id updates its object, also with create_missing false.', records),
  loads('ING-22', 'Without create_missing the target does as it declares.', records),
  loads('ING-23', 'External ids are unique within a source: the same one in two sources is two objects.', records),
  loads('ING-24', 'References by external id become references of the employee.', references),
  loads('ING-25', 'A reference that is given and unknown is treated as the target declares.', references),
  loads('ING-26', 'References resolve within the batch in any order, and across batches that came before.', references),
  loads('ING-27', 'Unknown fields are ignored, whatever they are called and hold.', bad),
  loads('ING-28', 'A record with an impossible date is skipped, and its object stays as it was.', bad),
  loads('ING-29', 'Optional fields may be left out.', records),
  loads('ING-30', 'What was loaded is shown: number, dates and every shown field of the person.', 'Employee, Person'),
  loads('ING-31', 'External ids are never given out.', results),
  asked('ING-32', 'No operation tells the state of a batch.'),
  loads('ING-33', 'What a batch changed is found by updated_since within the time that the profile states.', results),
  loads('ING-34', 'Each employee that a batch changed emits employee.changed.', results, events),
  loads('ING-35', 'A batch that changes nothing moves no update_time.', records),
  loads('ING-36', 'LEDGER names with a dot are literal keys, and names are normalised before matching.', ledger),
  loads('ING-37', 'A record without a usable external id is skipped.', bad),
  asked('ING-38', 'A batch of wrong shape is INVALID_ARGUMENT naming the field.'),
  asked('ING-39', 'A batch without records is treated as the target declares.'),
  loads('ING-40', 'Of records with the same external id in a batch the last wins.', records),
  row('ING-41', 'SHOULD', 'A batch of 1,000 records is accepted in less than two seconds.', op, {
    needs: { operations: [op] },
  }),
  loads('ING-42', 'Bad records never harm the others of their batch.', bad),
  loads('ING-43', 'A new name or number of a person emits person.changed and employee.changed.', results, {
    ...events,
    decisions: ['D-26', 'D-29'],
  }),
  asked('ING-44', 'A key that no super-administrator made is refused before anything else.', {
    decisions: ['D-31'],
    needs: { keys: ['fake_super_admin_ingest'] },
  }),
  asked('ING-45', 'The most records that the target declares are accepted, one more is INVALID_ARGUMENT.'),
  asked('ING-46', 'A body of the size that the target declares is accepted, a larger one is 413.', {
    decisions: ['D-6a', 'D-29'],
  }),
  asked('ING-47', 'A body may be larger than those of other operations.', { decisions: ['D-6a', 'D-29'] }),
  loads(
    'ING-48',
    'In an update an absent field leaves what is there; an empty one is treated as the target declares.',
    records,
  ),
  loads(
    'ING-49',
    'A record with a wrong type, a text beyond the limit or a malformed number is skipped as a whole.',
    bad,
  ),
  loads('ING-50', 'Departments in a cycle of parents are skipped; others of the batch are not.', references),
  loads('ING-51', 'An employee is made only with a known person.', references),
  loads('ING-52', 'External ids are compared code point by code point.', records),
  loads('ING-53', 'The dates of an employee move its status as the contract says.', dates),
  loads('ING-54', 'A day that comes moves the status by the dates, without any batch.', dates, {
    needs: { clock: true },
  }),
  loads('ING-55', 'Batches of a tenant are applied in the order of their acceptance.', op),
  loads('ING-57', 'A change of a person’s shown field moves update_time of each employment.', results),
  loads('ING-58', 'A change of fields that are never shown moves no update_time and emits nothing.', results, events),
  loads(
    'ING-59',
    'A rename of a department or job title, or a move of a department below another, shows and moves no update_time.',
    results,
  ),
  loads(
    'ING-60',
    'LEDGER finds organisations and job titles among those of KEDO; unknown ones leave the field as it was.',
    ledger,
  ),
  loads(
    'ING-61',
    'LEDGER tells persons without an external_id apart by their number, and such employees as the target declares.',
    ledger,
  ),
  asked('ING-62', 'A malformed Idempotency-Key is treated as the target declares.', { decisions: ['D-17', 'D-29'] }),
  loads('ING-63', 'A batch that was accepted is applied although the service restarts.', op, {
    needs: { admin: ['restart'] },
  }),
  loads('ING-64', 'A batch touches its own tenant only, whatever its external ids.', op, {
    needs: { keys: ['other_tenant'] },
  }),
  loads('ING-65', 'A batch that changes nothing emits nothing.', results, events),
  loads(
    'ING-66',
    'A known external_id of LEDGER is the same employee, whatever number and organisation the record says; an unknown one is another.',
    ledger,
  ),
  loads('ING-67', 'LEDGER finds a department, also as a parent, by what the target declares.', ledger),
  loads('ING-68', 'The person in a record of LEDGER is known by what the target declares.', ledger),
];
