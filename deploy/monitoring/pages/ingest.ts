/** Does ingest keep up? */
import type { QuestionPage } from './panels.ts';
import { rate, ratesBy, slowestOf } from './queries.ts';

export const ingest: QuestionPage = {
  name: 'ingest',
  question: 'Does ingest keep up?',
  about: 'Batches from acceptance to the end of their application, in which a tenant’s batches take turns.',
  numbers: [
    {
      title: 'Age of the oldest batch',
      about:
        'Since its acceptance. A batch of 10,000 records takes some seconds; a tenant’s batches wait for each other.',
      unit: 's',
      queries: { oldest: 'max(ingest_oldest_batch_age_seconds)' },
      limits: { warn: 120, bad: 900 },
    },
    {
      title: 'Batches that wait',
      about: 'Accepted, and not applied to their end.',
      unit: 'short',
      queries: { waiting: 'max(ingest_batches_waiting)' },
    },
    {
      title: 'Records that wait',
      about: 'Records of these batches that are not applied yet.',
      unit: 'short',
      queries: { waiting: 'max(ingest_records_waiting)' },
    },
    {
      title: 'Time to the end of the present records',
      about: 'Records that wait, divided by those that were applied a second in the last 5 minutes.',
      unit: 's',
      queries: { left: 'max(ingest_records_waiting) / sum(rate(ingest_records_applied_total[5m]))' },
      limits: { warn: 300, bad: 1800 },
    },
  ],
  others: [
    {
      title: 'Records accepted and applied, a second',
      about: 'Where accepted lies above applied for long, ingest does not keep up.',
      unit: 'cps',
      queries: {
        accepted: `sum(${rate('ingest_records_accepted_total')})`,
        applied: `sum(${rate('ingest_records_applied_total')})`,
      },
    },
    {
      title: 'Records by outcome, a second',
      about: 'skipped: the record was wrong; the settings tool lists the reasons of a batch.',
      unit: 'cps',
      isStacked: true,
      queries: ratesBy('ingest_records_applied_total', 'outcome'),
    },
    {
      title: 'Batches and records that wait',
      about: 'Of the whole store.',
      unit: 'short',
      queries: { batches: 'max(ingest_batches_waiting)', records: 'max(ingest_records_waiting)' },
    },
    {
      title: 'Time from acceptance to the end of the application',
      about: 'Half, and 95 %, of the batches that ended were faster.',
      unit: 's',
      limits: { warn: 120, bad: 900 },
      queries: slowestOf([0.5, 0.95], 'ingest_apply_lag_seconds'),
    },
    {
      title: 'Batches accepted, a minute',
      about: 'What the external systems send.',
      unit: 'short',
      queries: { batches: `60 * sum(${rate('ingest_batches_accepted_total')})` },
    },
    {
      title: 'Share of records that are skipped',
      about: 'A sender whose records have become wrong shows here first.',
      unit: 'percentunit',
      limits: { warn: 0.05, bad: 0.5 },
      queries: {
        skipped: `sum(${rate('ingest_records_applied_total{outcome="skipped"}')}) / sum(${rate('ingest_records_applied_total')})`,
      },
    },
  ],
};
