/** Documents whose printing is measured: a small one, a heavy one and signing sheets. */
import { filledDocument } from '../../../../handlers/documents/pdf/filled-document.ts';
import { documentLayout } from '../../../../handlers/documents/pdf/layout.ts';
import { type SheetInput, sheetLayout } from '../../../../handlers/documents/pdf/sheet-layout.ts';
import { templateValueViolations } from '../../../../handlers/documents/templates/values.ts';
import { randomOf } from '../../../kit/random.ts';
import { inventCatalogue } from '../../../operate/seed/catalogue.ts';

/** The contract of seeded tenants, of which the latest version alone names a city. */
const contract = inventCatalogue('', randomOf('bench')).document_template_versions.find(({ variable_schema }) =>
  variable_schema.includes('"city"'),
);

/** What is printed. */
type Definition = ReturnType<typeof documentLayout>;

/** @returns how the pages of a document are laid out. @throws Error if the service would refuse its template or its values */
function documentOf(values: object, title = 'Трудовой договор'): () => Definition {
  const { content = '', variable_schema = '' } = contract ?? {};
  const wrong = templateValueViolations(variable_schema, values);
  const input = { id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00', title, number: 'К-7', date: '2026-03-02' };
  const whole = { ...input, organization: 'ТОО «Тұлпар»', content, variable_schema, values };
  const printing = filledDocument(whole);
  if (wrong.length > 0 || 'violations' in printing)
    throw new Error('a document of the bench is refused, so its time means nothing');
  return () => documentLayout(printing.filled);
}

/** A line may break between any two of them. */
const pictures = (count: number) => '😀'.repeat(count);
const person = { employee_name: 'Әсел Нұрланова', position: 'Бухгалтер', city: 'Алматы', start_date: '2026-03-16' };
const small = { ...person, salary: 450_000, remote: false, allowances: [{ title: 'За стаж', amount: 10_000 }] };
const heavy = {
  employee_name: pictures(200),
  position: pictures(300),
  city: pictures(100),
  start_date: '2026-03-16',
  salary: 450_000,
  remote: true,
  allowances: Array.from({ length: 200 }, () => ({ title: pictures(200), amount: 10_000, until: '2026-03-16' })),
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
  small: documentOf(small),
  heavy: documentOf(heavy, pictures(500)),
  'signing sheet, 5 acts': sheetDocument(5),
  'signing sheet, 1,000 acts': sheetDocument(1_000),
} as const;
