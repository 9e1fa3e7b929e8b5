/** Login methods, document categories, types and templates of an invented tenant. */
import type { DocumentCategoryRow } from '../../../handlers/data/collections/document_categories.ts';
import type { DocumentTemplateVersionRow } from '../../../handlers/data/collections/document_template_versions.ts';
import type { DocumentTemplateRow } from '../../../handlers/data/collections/document_templates.ts';
import type { DocumentTypeRow } from '../../../handlers/data/collections/document_types.ts';
import type { LoginMethodRow } from '../../../handlers/data/collections/login_methods.ts';
import { type Random, randomOf } from '../../kit/random.ts';
import { typeRow } from '../../world/tenant.ts';
import { BASE_TIME, DAY_MS } from './company.ts';
import { templateContents } from './template-contents.ts';

/** Neither in this order nor in that of their titles are they ordered by slug. */
const LOGIN_METHODS = [
  ['OTP_MESSENGER', 'Одноразовый код в мессенджере', 'OTP', true],
  ['EDS_CMS_QR', 'Электронная подпись (QR)', 'EDS', true],
  ['IDP_SAML_SSO', 'Корпоративный вход (SSO)', 'SAML', true],
  ['OTP_EMAIL', 'Одноразовый код по почте', 'OTP', false],
] as const;

const CATEGORIES: readonly (readonly [title: string, parent: string])[] = [
  ['Кадровые документы', ''],
  ['Приказы', 'Кадровые документы'],
  ['Приказы об отпуске', 'Приказы'],
  ['Трудовые договоры', 'Кадровые документы'],
  ['Заявления', 'Кадровые документы'],
  ['Внутренние документы', ''],
  ['Ознакомление', 'Внутренние документы'],
  ['Қызметтік жазбалар', 'Внутренние документы'],
  ['Финансовые документы', ''],
  ['Договоры с контрагентами', 'Финансовые документы'],
];

type Variables = Readonly<Record<string, object>>;

const text = (title: string, maxLength: number, description = '') => ({
  type: 'string',
  title,
  ...(description && { description }),
  minLength: 1,
  maxLength,
});
const date = (title: string) => ({ type: 'string', format: 'date', title });
const whole = (title: string, minimum: number, maximum: number) => ({ type: 'integer', title, minimum, maximum });

/** The versions of each template, oldest first. The names are those of the document types. */
const leave: Variables = {
  employee_name: text('ФИО работника', 200),
  leave_type: { type: 'string', title: 'Вид отпуска', enum: ['annual', 'unpaid', 'study', 'maternity'] },
  start_date: date('Дата начала'),
  days: whole('Календарных дней', 1, 365),
};
const contract: Variables = {
  employee_name: text('ФИО работника', 200),
  position: text('Должность', 300),
  start_date: date('Дата начала работы'),
  salary: { type: 'number', title: 'Оклад, тенге в месяц', minimum: 0, maximum: 100_000_000 },
  probation_months: whole('Испытательный срок, месяцев', 0, 3),
  remote: { type: 'boolean', title: 'Дистанционная работа' },
};
const allowances = {
  type: 'array',
  title: 'Надбавки',
  description: 'Таблица надбавок к окладу, по строке на надбавку.',
  items: {
    type: 'object',
    properties: {
      title: text('Надбавка', 200),
      amount: { type: 'number', title: 'Сумма, тенге', minimum: 0 },
      until: date('Действует до'),
    },
    required: ['title', 'amount'],
    additionalProperties: false,
  },
};
const acknowledgement: Variables = {
  regulation_title: text('Название положения', 500),
  regulation_version: { type: 'string', const: 'v1', title: 'Редакция' },
  sections: { type: 'array', title: 'Разделы', items: text('Раздел', 100) },
};
const memo: Variables = {
  recipient: text('Кімге', 300),
  body: text('Мәтін', 10_000),
  urgency: { type: 'string', title: 'Маңыздылығы', enum: ['normal', 'high'] },
  due_date: date('Мерзімі'),
  reply_needed: { type: 'boolean', title: 'Жауап қажет' },
};

interface TypePlan {
  readonly title: string;
  readonly category: string;
  /** What the type has other than an active one of employees, which the interface and uploads may make. */
  readonly row?: Partial<DocumentTypeRow>;
  /** Its template's id comes from the type's: a type that was added later must not shift the ids of others. */
  readonly ownIds?: boolean;
  readonly versions?: readonly { readonly variables: Variables; readonly required: readonly string[] }[];
}

const TYPES: readonly TypePlan[] = [
  {
    title: 'Приказ об отпуске',
    category: 'Приказы об отпуске',
    versions: [
      { variables: leave, required: ['employee_name', 'leave_type', 'start_date', 'days'] },
      {
        variables: { ...leave, reason: text('Основание', 1000, 'Заявление работника или график отпусков.') },
        required: ['employee_name', 'leave_type', 'start_date', 'days'],
      },
    ],
  },
  {
    title: 'Трудовой договор',
    category: 'Трудовые договоры',
    row: { confidential: true },
    versions: [
      { variables: contract, required: ['employee_name', 'position', 'start_date', 'salary'] },
      { variables: { ...contract, allowances }, required: ['employee_name', 'position', 'start_date', 'salary'] },
      {
        variables: { ...contract, allowances, city: text('Город', 100) },
        required: ['employee_name', 'position', 'start_date', 'salary', 'city'],
      },
    ],
  },
  {
    title: 'Лист ознакомления',
    category: 'Ознакомление',
    row: { allow_upload: false },
    versions: [{ variables: acknowledgement, required: ['regulation_title'] }],
  },
  { title: 'Приказ о приёме', category: 'Приказы' },
  {
    title: 'Приказ об увольнении',
    category: 'Приказы',
    row: { confidential: true },
  },
  { title: 'Приказ о переводе', category: 'Приказы', row: { allow_api: false } },
  { title: 'Заявление на отпуск', category: 'Заявления' },
  { title: 'Заявление на справку', category: 'Заявления', row: { allow_api: false, allow_upload: false } },
  { title: 'Дополнительное соглашение', category: 'Трудовые договоры' },
  {
    title: 'Қызметтік жазба',
    category: 'Қызметтік жазбалар',
    row: { subject_type: 'NONE' },
    versions: [{ variables: memo, required: ['recipient', 'body'] }],
    ownIds: true,
  },
  { title: 'Договор поставки', category: 'Договоры с контрагентами', row: { subject_type: 'NONE' } },
  {
    title: 'Личная карточка Т-2',
    category: 'Кадровые документы',
    row: { status: 'ARCHIVED' },
  },
];

const VERSION_MS = 30 * DAY_MS;

function schemaText(title: string, variables: Variables, required: readonly string[]): string {
  return JSON.stringify({ type: 'object', title, properties: variables, required, additionalProperties: false });
}

/** The template of a type. @param version the number of its latest version */
function templateOf(type: DocumentTypeRow, _id: string, variable_schema: string, version: number): DocumentTemplateRow {
  const { tenant_id, title, create_time, category_id } = type;
  return {
    _id,
    tenant_id,
    title,
    create_time,
    version,
    type_id: type._id,
    category_id,
    status: 'ACTIVE',
    variable_schema,
    update_time: new Date(create_time.getTime() + (version - 1) * VERSION_MS),
  };
}

/** @param n 0 for the first version */
function versionOf(template: DocumentTemplateRow, variable_schema: string, n: number): DocumentTemplateVersionRow {
  const { _id, tenant_id, title, create_time } = template;
  return {
    _id: `${_id}:${n + 1}`,
    tenant_id,
    template_id: _id,
    version: n + 1,
    variable_schema,
    content: JSON.stringify(templateContents[title]?.[n] ?? []),
    create_time: new Date(create_time.getTime() + n * VERSION_MS),
  };
}

/** Every tenant gets the same catalogue, with its own ids and times. */
export function inventCatalogue(tenantId: string, random: Random) {
  // The last third has the same time, like rows that were loaded together.
  const together = BASE_TIME.getTime() - 400 * DAY_MS;
  const time = (nth: number, of: number) =>
    new Date(nth >= (of * 2) / 3 ? together : together - (of - nth) * DAY_MS - random.int(DAY_MS));
  const base = (title: string, created: Date) => ({
    _id: random.uuid(),
    tenant_id: tenantId,
    title,
    create_time: created,
    update_time: created,
  });

  const categories = new Map<string, DocumentCategoryRow>();
  for (const [i, [title, parent]] of CATEGORIES.entries()) {
    const row = { ...base(title, time(i, CATEGORIES.length)), parent_id: categories.get(parent)?._id ?? '' };
    categories.set(title, row);
  }
  const types: DocumentTypeRow[] = [];
  const templates: DocumentTemplateRow[] = [];
  const versions: DocumentTemplateVersionRow[] = [];
  for (const [i, plan] of TYPES.entries()) {
    const type: DocumentTypeRow = typeRow({
      ...base(plan.title, time(i, TYPES.length)),
      category_id: categories.get(plan.category)?._id ?? '',
      ...plan.row,
    });
    types.push(type);
    const schemas = (plan.versions ?? []).map(({ variables, required }) => schemaText(plan.title, variables, required));
    const latest = schemas.at(-1);
    if (latest === undefined) continue;
    const templateId = plan.ownIds ? randomOf(`${type._id}/template`).uuid() : random.uuid();
    const template = templateOf(type, templateId, latest, schemas.length);
    type.template_id = template._id;
    templates.push(template);
    versions.push(...schemas.map((schema, n) => versionOf(template, schema, n)));
  }
  return {
    login_methods: LOGIN_METHODS.map(
      ([slug, title, type, enabled]): LoginMethodRow => ({
        _id: random.uuid(),
        tenant_id: tenantId,
        slug,
        title,
        type,
        enabled,
      }),
    ),
    document_categories: [...categories.values()],
    document_types: types,
    document_templates: templates,
    document_template_versions: versions,
  };
}
