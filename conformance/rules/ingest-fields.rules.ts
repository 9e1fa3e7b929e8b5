/** Every field of every record that ingest takes is followed to what shows it, and to what must not. */
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rule, unable } from './rule.ts';
import { idsOf } from './shared/calls.ts';
import { EXPAND, shows } from './shared/ingest-calls.ts';
import {
  fieldValue,
  type PayloadField,
  payloadKinds,
  spelling,
  textOf,
  UNKNOWN_PLACE,
} from './shared/payload-fields.ts';
import {
  type FieldWorld,
  fieldWorld,
  idOf,
  isOfCard,
  isOfEmployees,
  lost,
  madeSubjects,
  SPELLED,
  subjectOf,
  valueFields,
} from './shared/people-with-fields.ts';

/** What a subject must show of a field: its first or second value, or nothing. */
type State = 'a' | 'b' | '';

/** What the interface shows of a payload's subjects, read once for each rule. */
interface FieldView {
  t: TestContext;
  world: FieldWorld;
  rows: EmployeeRow[];
  field: PayloadField;
}

function cardOf({ t, world, rows, field }: FieldView, subject: string): EmployeeRow {
  const id = world.ids.get(`${field.payload.name}/${subject}`);
  return t.present(
    rows.find((row) => row.id === id),
    `nobody shows ${field.payload.name} ${subject}`,
  );
}

const at = (card: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((object, name) => (object as Record<string, unknown> | undefined)?.[name], card);

const isPerson = ({ path }: PayloadField): boolean => path[0] === 'external_person_id';

/** What must show of a field in a state. Ids of what is referred to are known only from the cards themselves. */
function wanted(view: FieldView, field: PayloadField, subject: string, state: State): unknown {
  const { t, world } = view;
  if (state === '') return '';
  if (isPerson(field))
    return state === 'a'
      ? textOf(world.by, `${field.payload.name}/${subject}`, 'phone')
      : textOf(world.by, 'referred', 'b');
  if (field.kind !== 'reference') return fieldValue(world.by, field, subject, state);
  const known = (of: string) => at(cardOf(view, of), field.shown);
  const [first, second] = [known('same'), known(subjectOf(field))];
  t.check(first !== '' && second !== '' && first !== second, 'two references lead to one object or to none');
  return state === 'a' ? first : second;
}

type SubjectState = [subject: string, state: State, what: string];

/** What each subject must show of a field. */
function statesOf({ t }: FieldView, field: PayloadField): SubjectState[] {
  const emptied: State = t.values.ingest_empty_value === 'clear' && !isPerson(field) ? '' : 'a';
  const none: State = isPerson(field) ? 'a' : '';
  const isNumber = field.payload.source === 'LEDGER' && field.shown === 'employee_number';
  const made = madeSubjects(field.payload).filter((subject) => subject.startsWith(isNumber ? 'new2' : 'new-'));
  const habits = [
    ...SPELLED.map((subject, nth): SubjectState => {
      const [written, shows] = spelling(field.kind, '…', nth);
      return [subject, shows || none, `after ${JSON.stringify(written)}`];
    }),
    ['new-nothing', isNumber ? 'a' : none, 'of a new object with what its senders write for nothing'] as SubjectState,
  ];
  return [
    [subjectOf(field), 'b', 'after another value'],
    ['null', emptied, 'after null'],
    ['empty', emptied, 'after an empty text'],
    ['same', 'a', 'after the same value'],
    ['new-a', 'a', 'of a new object with a value'],
    ...made
      .filter((subject) => /absent|null|empty/.test(subject))
      .map((subject): SubjectState => [subject, none, `of a new object with ${subject.split('-')[1]}`]),
    ...(t.values.ingest_habits === 'understood' ? habits : []),
  ];
}

/** Checks what the subjects show of the field, and that its change has left the other fields alone. */
function judgeShown(view: FieldView): void {
  const { t, field, world } = view;
  const own = subjectOf(field);
  for (const [subject, state, what] of statesOf(view, field)) {
    if (subject.startsWith('new') && world.unmade !== '' && isOfEmployees(field.payload)) continue;
    const card = cardOf(view, subject);
    t.equal(at(card, field.shown), wanted(view, field, subject, state), `${field.shown} ${what}`);
  }
  for (const other of valueFields(field.payload)) {
    if (other === field || other.shown === '' || other.shown === UNKNOWN_PLACE) continue;
    t.equal(at(cardOf(view, own), other.shown), wanted(view, other, own, 'a'), `${other.shown}, which no record named`);
  }
  const title = field.shown.replace(/_id$/, '');
  if (field.kind === 'reference' && title !== 'organization' && !isPerson(field))
    t.equal(at(cardOf(view, own), `${title}.title`), textOf(world.by, 'referred', 'b'), `the title of the ${title}`);
  const fullName = cardOf(view, own).person?.full_name ?? '';
  if (!/first_name|last_name/.test(field.shown)) return;
  t.check(fullName.includes(`${wanted(view, field, own, 'b')}`), 'full_name does not hold the new name');
  if (t.values.ingest_habits === 'understood')
    t.equal(cardOf(view, 'spelled-0').person?.full_name, '', 'full_name where all names are blanks');
}

/** Checks that update_time has moved by the change, and by nothing else. */
function judgeTime(view: FieldView): void {
  const { t, world, field } = view;
  const own = cardOf(view, subjectOf(field)).update_time;
  if (isOfCard(field))
    t.check(own > world.loaded && own <= world.changed, 'the change alone does not move update_time');
  else t.check(own <= world.loaded, 'update_time has moved, although nothing on the card has changed');
  if (field.shown !== '')
    t.check(cardOf(view, 'same').update_time <= world.loaded, 'update_time has moved with the same values again');
}

/** Checks that the single read shows the same, and that it holds neither external ids nor what is never shown. */
async function judgeSingle(view: FieldView): Promise<void> {
  const { t, world, field } = view;
  const subject = subjectOf(field);
  const card = cardOf(view, subject);
  const answer = await world.load.of(t).reader.get(`/employees/${card.id}`, { expand: EXPAND });
  t.equal(answer.ok('getEmployee').employee, card, 'the single read');
  const secret = [idOf(world.by, field.payload, subject), idOf(world.by, field.payload, 'new-a')];
  if (field.shown === '' && (field.kind === 'text' || field.kind === 'day'))
    secret.push(
      ...(['a', 'b'] as const).map((state) => JSON.stringify(fieldValue(world.by, field, subject, state)).slice(1, -1)),
    );
  for (const text of secret) t.check(!answer.text.includes(text), `an answer holds ${text}`, answer);
}

/** Checks that updated_since finds the employee by its own time, and other filters by the new value. */
async function judgeFilter(view: FieldView): Promise<void> {
  const { t, world, field } = view;
  const { id, department_id, update_time: updated_since } = cardOf(view, subjectOf(field));
  const filters: Record<string, object> = {
    department_id: { department_id },
    end_date: { status: 'EMPLOYEE_STATUS_TERMINATED' },
  };
  const filter = { updated_since, ...filters[field.shown] };
  if (!isOfCard(field)) return;
  const found = await world.load.of(t).reader.walk('listEmployees', { ...filter, limit: 1000 });
  t.check(idsOf(found).includes(id), `the employee is not found by ${Object.keys(filter).join(' and ')}`);
}

async function follow(t: TestContext, field: PayloadField): Promise<void> {
  const world = await fieldWorld(t, field.payload.source);
  const view = { t, field, world, rows: await world.load.of(t).rows() };
  t.check(!shows(view.rows, lost(world.by)), 'a record with a wrong value was applied');
  if (field.shown === '') {
    if (world.unmade === '' || !isOfEmployees(field.payload)) {
      const { organization_id } = cardOf(view, 'new-a');
      if (field.payload.type === 'ORGANIZATIONS') t.check(organization_id !== '', 'the employee has no organisation');
    }
  } else judgeShown(view);
  judgeTime(view);
  await judgeSingle(view);
  await judgeFilter(view);
  if (world.unmade !== '' && isOfEmployees(field.payload)) t.untested('no_such_data', world.unmade);
}

const textFor = ({ shown, path, payload, kind }: PayloadField): string => {
  const name = `${path.join('.')} of ${payload.source} / ${payload.type}`;
  if (kind === 'id' || kind === 'object')
    return `${name} is never given out, and a record is skipped in which it is unusable.`;
  const skips = 'and a record is skipped in which it is wrong';
  return shown === ''
    ? `${name} is stored and shown nowhere, moves no update_time, ${skips}.`
    : `${name} is shown as ${shown} when an object is made and when it changes, is cleared as declared, stays where it is not named, ${skips}.`;
};

for (const field of payloadKinds.flatMap(({ fields }) => fields)) {
  rule({
    id: `ING-${field.id}`,
    family: 'fields of ingest',
    text: textFor(field),
    place: `ingestRecords: ${field.payload.schema}`,
    decisions: ['D-29'],
    runs: 'changing',
    world: field.payload.source,
    check: field.shown === UNKNOWN_PLACE ? unable('nobody knows where it shows') : (t) => follow(t, field),
  });
}
