/** Documents whose printing is measured: a small one, a heavy one and signing sheets. */
import { filledDocument } from '../../../../handlers/documents/pdf/filled-document.ts';
import { documentLayout } from '../../../../handlers/documents/pdf/layout.ts';
import { type SheetInput, sheetLayout } from '../../../../handlers/documents/pdf/sheet-layout.ts';
import type { Content } from '../../../../handlers/documents/templates/content.ts';
import { templateValueViolations } from '../../../../handlers/documents/templates/values.ts';
import { templateContents } from '../../../operate/seed/template-contents.ts';

const text = { type: 'string' };
const allowance = {
  type: 'object',
  properties: { title: text, amount: text, until: text },
  required: [],
  additionalProperties: false,
};
const variables = {
  employee_name: text,
  position: text,
  city: text,
  start_date: text,
  salary: { type: 'number' },
  probation_months: { type: 'integer' },
  remote: { type: 'boolean' },
  allowances: { type: 'array', items: allowance },
};
const variable_schema = JSON.stringify({
  type: 'object',
  properties: variables,
  required: [],
  additionalProperties: false,
});

/** What is printed. */
type Definition = ReturnType<typeof documentLayout>;

/** @returns how the pages of a document are laid out. @throws Error if the service would refuse its template or its values */
function documentOf(content: Content, values: object, title = 'Трудовой договор'): () => Definition {
  const wrong = templateValueViolations(variable_schema, values);
  const input = { id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00', title, number: 'К-7', date: '2026-03-02' };
  const whole = { ...input, organization: 'ТОО «Тұлпар»', content: JSON.stringify(content), variable_schema, values };
  const printing = filledDocument(whole);
  if (wrong.length > 0 || 'violations' in printing)
    throw new Error('a document of the bench is refused, so its time means nothing');
  return () => documentLayout(printing.filled);
}

const contract = templateContents['Трудовой договор']?.at(-1) as Content;
/** A line may break between any two of them. */
const pictures = (count: number) => '😀'.repeat(count);
const person = { employee_name: 'Әсел Нұрланова', position: 'Бухгалтер', city: 'Алматы', start_date: '16.03.2026' };
const small = { ...person, salary: 450_000, remote: false, allowances: [{ title: 'За стаж', amount: '10 000' }] };
const heavy = {
  employee_name: pictures(200),
  position: pictures(300),
  city: pictures(100),
  start_date: '16.03.2026',
  salary: 450_000,
  remote: true,
  allowances: Array.from({ length: 200 }, () => ({ title: pictures(200), amount: '10 000', until: '16.03.2026' })),
};

/** The sheet of a document on which so many have acted. */
const sheetOf = (acts: number): SheetInput => ({
  document_id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
  sha256: 'ab'.repeat(32),
  size_bytes: 12_345,
  attached: false,
  completed_at: new Date('2026-03-02T09:00:00Z'),
  entries: Array.from({ length: acts }, (_, nth) => ({
    step: Math.floor(nth / 50),
    participant_id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
    action: 'SIGNED' as const,
    employee_id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
    at: new Date('2026-03-02T09:00:00Z'),
    key_type: 'EDS' as const,
    pdf_sha256: 'cd'.repeat(32),
    certificate_serial: '0123456789abcdef'.repeat(2),
  })),
});

/** @returns how the pages of a signing sheet are laid out */
const sheetDocument = (acts: number) => {
  const sheet = sheetOf(acts);
  return () => sheetLayout(sheet);
};

/** By name. */
export const printedDocuments = {
  small: documentOf(contract, small),
  heavy: documentOf(contract, heavy, pictures(500)),
  'signing sheet, 5 acts': sheetDocument(5),
  'signing sheet, 1,000 acts': sheetDocument(1_000),
} as const;
