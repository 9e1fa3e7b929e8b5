/** The contents of the invented templates: realistic orders, contracts and acknowledgements, in Russian and Kazakh. */
import type { Block, Content } from '../../../handlers/documents/templates/content.ts';

const paragraph = (text: string, extra: Partial<Extract<Block, { type: 'paragraph' }>> = {}): Block => ({
  type: 'paragraph',
  text,
  indent: true,
  ...extra,
});
const heading = (text: string): Block => ({ type: 'heading', text });

const LEAVE_TYPES = {
  annual: 'оплачиваемый ежегодный трудовой отпуск',
  unpaid: 'отпуск без сохранения заработной платы',
  study: 'учебный отпуск',
  maternity: 'отпуск в связи с беременностью и рождением ребёнка',
};

/** A leave order. Its second version also states the reason. */
function leave(withReason: boolean): Content {
  const reason: Block = paragraph('Основание: {{reason}}.', { when: 'reason' });
  return {
    locale: 'ru',
    labels: { leave_type: LEAVE_TYPES },
    blocks: [
      paragraph('В соответствии с Трудовым кодексом Республики Казахстан'),
      paragraph('ПРИКАЗЫВАЮ:', { bold: true, indent: false }),
      paragraph('1. Предоставить работнику отпуск на следующих условиях:'),
      {
        type: 'definitions',
        rows: [
          { title: 'Работник', text: '{{employee_name}}' },
          { title: 'Вид отпуска', text: '{{leave_type}}' },
          { title: 'Дата начала', text: '{{start_date}}' },
          { title: 'Календарных дней', text: '{{days}}' },
        ],
      },
      paragraph('2. Бухгалтерии произвести причитающиеся работнику выплаты в установленные законодательством сроки.', {
        when: { variable: 'leave_type', equals: 'annual' },
      }),
      paragraph('Контроль за исполнением настоящего приказа оставляю за собой.'),
      ...(withReason ? [reason] : []),
      { type: 'space', lines: 1 },
      {
        type: 'signatures',
        lines: [
          { title: 'Первый руководитель', note: 'подпись' },
          { title: 'С приказом ознакомлен(а)', name: '{{employee_name}}', note: 'подпись, дата' },
        ],
      },
    ],
  };
}

const ALLOWANCES: Block[] = [
  paragraph('3.2. Работнику устанавливаются следующие надбавки к должностному окладу:', { when: 'allowances' }),
  {
    type: 'table',
    variable: 'allowances',
    when: 'allowances',
    numbered: true,
    columns: [
      { field: 'title', title: 'Надбавка', width: 8 },
      { field: 'amount', title: 'Сумма, тенге', width: 3 },
      { field: 'until', title: 'Действует до', width: 3, align: 'center' },
    ],
  },
];

const PAY_AND_REST: Block[] = [
  paragraph(
    '3.3. Заработная плата выплачивается не реже одного раза в месяц, не позже первой декады следующего месяца.',
  ),
  heading('4. Рабочее время и отдых'),
  paragraph('4.1. Продолжительность рабочего времени не превышает 40 часов в неделю.'),
  paragraph(
    '4.2. Работник выполняет трудовые обязанности дистанционно; рабочим временем считается время по графику организации.',
    { when: { variable: 'remote', equals: true } },
  ),
  paragraph('4.2. Работник выполняет трудовые обязанности по месту нахождения Работодателя.', {
    when: { variable: 'remote', equals: false },
  }),
  paragraph('4.3. Ежегодный оплачиваемый трудовой отпуск составляет не менее 24 календарных дней.'),
];

/** An employment contract. The second version has a table of allowances, the third also the city. */
function contract(withAllowances: boolean, withCity: boolean): Content {
  return {
    locale: 'ru',
    blocks: [
      ...(withCity ? [paragraph('Место заключения: {{city}}', { indent: false })] : []),
      paragraph(
        '{{document.organization}}, именуемое в дальнейшем «Работодатель», с одной стороны, и {{employee_name}}, именуемый(-ая) в дальнейшем «Работник», с другой стороны, заключили настоящий трудовой договор о нижеследующем.',
      ),
      heading('1. Предмет договора'),
      paragraph('1.1. Работодатель принимает Работника на должность: {{position}}.'),
      paragraph('1.2. Дата начала работы: {{start_date}}. Договор заключён на неопределённый срок.'),
      paragraph('1.3. Работнику устанавливается испытательный срок, месяцев: {{probation_months}}.', {
        when: 'probation_months',
      }),
      heading('2. Обязанности сторон'),
      paragraph(
        '2.1. Работник обязуется выполнять трудовые обязанности лично, соблюдать трудовую дисциплину, требования по безопасности и охране труда, бережно относиться к имуществу Работодателя.',
      ),
      paragraph(
        '2.2. Работодатель обязуется предоставить Работнику обусловленную работу, обеспечить условия труда в соответствии с законодательством и своевременно и в полном размере выплачивать заработную плату.',
      ),
      heading('3. Оплата труда'),
      paragraph('3.1. Должностной оклад Работника составляет {{salary}} тенге в месяц до удержания налогов и взносов.'),
      ...(withAllowances ? ALLOWANCES : []),
      ...PAY_AND_REST,
      heading('5. Заключительные положения'),
      paragraph(
        '5.1. Договор составлен в электронной форме. Изменения и дополнения оформляются дополнительным соглашением сторон.',
      ),
      { type: 'space', lines: 1 },
      {
        type: 'signatures',
        lines: [
          { title: 'Работодатель', name: '{{document.organization}}', note: 'подпись' },
          { title: 'Работник', name: '{{employee_name}}', note: 'подпись' },
        ],
      },
    ],
  };
}

const acknowledgement: Content = {
  locale: 'ru',
  blocks: [
    paragraph('Настоящим подтверждаю, что ознакомлен(а) со следующим локальным нормативным актом организации:'),
    {
      type: 'definitions',
      rows: [
        { title: 'Положение', text: '{{regulation_title}}' },
        { title: 'Редакция', text: '{{regulation_version}}', when: 'regulation_version' },
      ],
    },
    paragraph('Изучены разделы:', { when: 'sections', indent: false }),
    { type: 'list', variable: 'sections', when: 'sections', numbered: true },
    paragraph('Содержание мне разъяснено и понятно, обязуюсь его соблюдать.'),
    { type: 'space', lines: 1 },
    { type: 'signatures', lines: [{ title: 'Работник', note: 'подпись, дата' }] },
  ],
};

const memo: Content = {
  locale: 'kk',
  labels: { urgency: { normal: 'қалыпты', high: 'жоғары' } },
  blocks: [
    {
      type: 'definitions',
      rows: [
        { title: 'Кімге', text: '{{recipient}}' },
        { title: 'Маңыздылығы', text: '{{urgency}}', when: 'urgency' },
        { title: 'Мерзімі', text: '{{due_date}}', when: 'due_date' },
        { title: 'Жауап қажет', text: '{{reply_needed}}', when: 'reply_needed' },
      ],
    },
    paragraph('{{body}}'),
    { type: 'space', lines: 1 },
    { type: 'signatures', lines: [{ title: 'Орындаушы', note: 'қолы, күні' }] },
  ],
};

/** The contents of the template of each document type, one for each version, oldest first. */
export const templateContents: Readonly<Record<string, readonly Content[]>> = {
  'Приказ об отпуске': [leave(false), leave(true)],
  'Трудовой договор': [contract(false, false), contract(true, false), contract(true, true)],
  'Лист ознакомления': [acknowledgement],
  'Қызметтік жазба': [memo],
};
