/**
 * The signing sheet: who acted on a document, when and with which certificate. Ids, times, digests and serials only
 * (D-22).
 */
import type { Content as Node, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { timeText } from '../../answers/shown-times.ts';
import { columnWidths, footerLine, GREY, grid, pages, SHADE, TEXT_WIDTH } from './layout.ts';
import { cut, textNode } from './text.ts';

/** What a participant did. */
export interface SheetEntry {
  /** The step's index, from 0; printed from 1. */
  readonly step: number;
  readonly participant_id: string;
  readonly employee_id: string;
  readonly action: 'APPROVED' | 'SIGNED';
  readonly at: Date;
  readonly key_type: 'SIMPLE' | 'EDS';
  /** SHA-256 of the signed bytes, in hex; `''` if nothing was signed. */
  readonly pdf_sha256: string;
  /** Serial number of the certificate, in hex; `''` if there is none. */
  readonly certificate_serial: string;
}

export interface SheetInput {
  readonly document_id: string;
  readonly sha256: string;
  readonly size_bytes: number;
  /** Whether the original is attached to the sheet, instead of printed before it. */
  readonly attached: boolean;
  readonly entries: readonly SheetEntry[];
  readonly completed_at: Date;
}

const SMALL = 7.5;
const ACTIONS = { APPROVED: 'Согласовано', SIGNED: 'Подписано' } as const;
const KEYS = { SIMPLE: 'простая', EDS: 'ЭЦП' } as const;
const PLACES = {
  true: 'Подписанный файл вложен в этот PDF без изменений (вложения документа).',
  false: 'Подписанный файл — первые байты этого PDF, в указанном выше размере; лист подписания добавлен после них.',
} as const;

/** `2026-03-02 09:15:00 UTC` */
const instant = (time: Date) => `${timeText(time, 'signing sheet', '').slice(0, 19).replace('T', ' ')} UTC`;

const mono = (text: string, width: number, fontSize: number): Node => textNode(text, width, { font: 'Mono', fontSize });

function facts({ document_id, sha256, size_bytes, completed_at }: SheetInput): Node {
  const width = TEXT_WIDTH - 140 - 16;
  const rows: [string, Node][] = [
    ['Идентификатор документа', mono(document_id, width, 8.5)],
    ['SHA-256 подписанного PDF', mono(sha256, width, 8)],
    ['Размер, байт', mono(String(size_bytes), width, 8.5)],
    ['Завершён', mono(instant(completed_at), width, 8.5)],
  ];
  return {
    margin: [0, 0, 0, 12],
    layout: 'noBorders',
    table: {
      widths: [140, width],
      body: rows.map(([title, fact]) => [{ text: title, color: GREY, fontSize: 9 }, fact]),
    },
  };
}

const WIDTHS = columnWidths([7, 33, 22, 10, 28]);
const [, whoWidth = 0, , , signedWidth = 0] = WIDTHS;

function row(entry: SheetEntry): Node[] {
  const { step, participant_id, employee_id, action, at, key_type, pdf_sha256, certificate_serial } = entry;
  const signed = [
    ...(pdf_sha256 === '' ? [] : [{ text: 'SHA-256', color: GREY, fontSize: 6.5 }, mono(pdf_sha256, signedWidth, 6.5)]),
    ...(certificate_serial === ''
      ? []
      : [
          { text: 'Серийный номер сертификата', color: GREY, fontSize: 6.5 },
          mono(cut(certificate_serial, 128), signedWidth, 6.5),
        ]),
  ];
  return [
    { text: String(step + 1), alignment: 'center' },
    {
      stack: [
        { text: 'Участник', color: GREY, fontSize: 6.5 },
        mono(participant_id, whoWidth, 6.5),
        { text: 'Сотрудник', color: GREY, fontSize: 6.5 },
        mono(employee_id, whoWidth, 6.5),
      ],
    },
    { stack: [{ text: ACTIONS[action] }, { text: instant(at), fontSize: SMALL }] },
    { text: action === 'SIGNED' ? KEYS[key_type] : '—' },
    { stack: signed.length === 0 ? [{ text: '—' }] : signed },
  ];
}

/** The definition of the sheet's pages. */
export function sheetLayout(input: SheetInput): TDocumentDefinitions {
  const heads = ['Шаг', 'Кто (идентификаторы)', 'Действие и время', 'Подпись', 'Подписанные данные'];
  return {
    ...pages('ru-RU', (nth, of) =>
      footerLine(`Лист подписания документа ${cut(input.document_id, 36)}`, `лист ${nth} из ${of}`),
    ),
    info: { title: 'Лист подписания', creationDate: input.completed_at },
    content: [
      { text: 'Лист подписания', bold: true, fontSize: 14, alignment: 'center', margin: [0, 0, 0, 14] },
      facts(input),
      {
        fontSize: 8.5,
        layout: grid,
        table: {
          headerRows: 1,
          dontBreakRows: true,
          widths: WIDTHS,
          body: [
            heads.map((text) => ({ text, bold: true, alignment: 'center', fillColor: SHADE })),
            ...input.entries.map(row),
          ],
        },
      },
      { text: PLACES[`${input.attached}`], fontSize: 8, color: GREY, margin: [0, 10, 0, 0] },
    ],
  };
}
