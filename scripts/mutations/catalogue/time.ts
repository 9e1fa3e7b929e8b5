import type { Area } from '../mutation.ts';

/** Days and instants: the time zone of the tenant, midnight, lifetimes. */
export const time: Area = {
  name: 'time',
  sections: ['EMP', 'DOC', 'ING', 'PAGE', 'IDEM'],
  mutations: [
    {
      id: 'day-in-utc',
      file: 'handlers/process/day.ts',
      find: "new Intl.DateTimeFormat('en', { timeZone,",
      replace: "new Intl.DateTimeFormat('en', { timeZone: 'UTC',",
      customer: "Between midnight in Almaty and midnight in London, documents have yesterday's date.",
    },
    {
      id: 'format-of-the-first-zone',
      file: 'handlers/process/day.ts',
      find: 'let format = formats.get(timeZone);',
      replace: 'let [format] = formats.values();',
      customer: 'All tenants have their days in the time zone of the first one that asked.',
    },
    {
      id: 'daily-pass-in-utc',
      file: 'handlers/employees/write/advance-statuses.ts',
      find: 'new Map(tenants.map(({ _id, time_zone }) => [_id, dayIn(time_zone, at)]))',
      replace: "new Map(tenants.map(({ _id }) => [_id, dayIn('UTC', at)]))",
      customer: 'Somebody who starts today becomes active some hours after local midnight.',
    },
    {
      id: 'daily-pass-misses-eastern-zones',
      file: 'handlers/employees/write/advance-statuses.ts',
      find: 'const days = zones.map((zone) => dayIn(zone, at)).sort();\n  return days.at(-1)',
      replace: 'const days = zones.map((zone) => dayIn(zone, at)).sort();\n  return days.at(0)',
      customer: 'A tenant in the east waits for its day until the last tenant in the west has it.',
    },
    {
      id: 'daily-pass-first-batch-alone',
      file: 'handlers/employees/write/advance-statuses.ts',
      find: 'if (rows.length < batch) break;',
      replace: 'break;',
      customer: 'When more than 500 people start on one day, the others wait for the next minutes.',
      reason: 'The pass runs each minute and goes on with the rest, so nobody waits for long.',
    },
    {
      id: 'daily-pass-once-an-hour',
      file: 'handlers/worker.ts',
      find: 'const ADVANCE_MS = 60_000;',
      replace: 'const ADVANCE_MS = 60 * 60_000;',
      customer: 'Somebody who starts today becomes active up to an hour after midnight.',
    },
    {
      id: 'ingest-day-in-utc',
      file: 'handlers/ingest/apply/apply-ingest.ts',
      find: "timeZone: tenant?.time_zone ?? 'UTC'",
      replace: "timeZone: 'UTC'",
      customer: 'Somebody who starts today and is loaded before morning is ACCEPTED instead of ACTIVE.',
    },
    {
      id: 'document-dated-in-utc',
      file: 'handlers/documents/create/creation.ts',
      find: 'todayIn(caller.tenant.timeZone)',
      replace: "todayIn('UTC')",
      customer: 'A document that is made in the first hours of a day has the date of the day before.',
    },
    {
      id: 'page-token-for-an-hour',
      file: 'handlers/data/page.ts',
      find: 'const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;',
      replace: 'const TOKEN_LIFETIME_MS = 60 * 60 * 1000;',
      customer: 'A long synchronisation breaks off after an hour.',
    },
    {
      id: 'page-token-never-expires',
      file: 'handlers/data/page.ts',
      find: 'if (nowMs() - issuedMs > TOKEN_LIFETIME_MS)',
      replace: 'if (issuedMs - nowMs() > TOKEN_LIFETIME_MS)',
      customer: 'A token from last month works.',
    },
    {
      id: 'time-zone-of-tenant-cached',
      file: 'handlers/access/caller.ts',
      find: 'tenant: { id: tenant._id, timeZone: tenant.time_zone },',
      replace: "tenant: { id: tenant._id, timeZone: 'Asia/Almaty' },",
      customer: 'A tenant elsewhere has the days of Almaty.',
      sections: ['DOC'],
    },
  ],
};
