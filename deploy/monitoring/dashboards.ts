/** The dashboards, one for each question, in the order of README.md. */
import { calls } from './pages/calls.ts';
import { database } from './pages/database.ts';
import { events } from './pages/events.ts';
import { ingest } from './pages/ingest.ts';
import { grafanaDashboard, type QuestionPage } from './pages/panels.ts';
import { processes } from './pages/process.ts';
import { storage } from './pages/storage.ts';
import { tenants } from './pages/tenants.ts';
import { work } from './pages/work.ts';

export const pages: readonly QuestionPage[] = [calls, events, ingest, database, storage, tenants, work, processes];

/** The file that Grafana reads of a page. */
export const dashboardFile = (page: QuestionPage): string => `${JSON.stringify(grafanaDashboard(page), null, 1)}\n`;
