import { events, type Finding, routed } from './finding.ts';
import { asArray, asObject, asString, type Contract } from './read.ts';

const VERBS = [
  'verify',
  'list',
  'get',
  'create',
  'set',
  'send',
  'approve',
  'sign',
  'reject',
  'download',
  'reserve',
  'confirm',
  'ingest',
  'test',
  'delete',
  'update',
];
const OPERATION_ID = new RegExp(`^(?:${VERBS.join('|')})[A-Z][A-Za-z0-9]*$`);
const RELEASES = ['1.0.0', '1.3.0', '1.4.0', '1.5.0', '1.6.0', '1.7.0'];
const RELEASE = /^\d+\.\d+\.\d+$/;
const STATUSES = ['400', '401', '403', '429', '431', '500', '503'];
const BODY_STATUSES = ['413', '415'];

/** operationId = verb + noun in camelCase, because files, exports, types, tests and log fields are named after it. */
export function operationId(contract: Contract): Finding[] {
  const wrong = routed(contract).filter(({ id }) => !OPERATION_ID.test(id));
  const wrongEvents = events(contract).filter(({ id }) => !/^on[A-Z][A-Za-z0-9]*$/.test(id));
  return [
    ...wrong.map(({ place, id }) => ({
      place: [...place, 'operationId'],
      message: `The operationId "${id}" is not a verb and a noun in camelCase. Begin with one of: ${VERBS.join(', ')}; or add the verb to VERBS in scripts/contract/rules-operations.ts.`,
    })),
    ...wrongEvents.map(({ place, id }) => ({
      place: [...place, 'operationId'],
      message: `The operationId "${id}" of an event is not "on" and the event in camelCase, as onEmployeeChanged is.`,
    })),
  ];
}

/** Every operation says which scope it needs, or that it needs none. */
export function scope(contract: Contract): Finding[] {
  return routed(contract)
    .filter(({ source }) => {
      const security = asArray(source.security);
      const scopes = asObject(security[0]).ApiKey;
      return security.length !== 1 || !Array.isArray(scopes) || scopes.length > 1;
    })
    .map(({ place, id }) => ({
      place,
      message: `${id} does not declare its scope. Write security: [{ApiKey: ['employees:read']}], or [{ApiKey: []}] where a key without scopes will do.`,
    }));
}

/** Every operation and event names the release that introduced it, and has exactly one tag, which exists. */
export function sinceAndTag(contract: Contract): Finding[] {
  const tags = asArray(contract.tags).map((tag) => asString(asObject(tag).name));
  const findings: Finding[] = [];
  for (const { place, id, source } of [...routed(contract), ...events(contract)]) {
    const since = asString(source['x-since']);
    if (!RELEASE.test(since)) {
      findings.push({
        place,
        message: `${id} does not say since which release it exists. Add x-since with one of ${RELEASES.join(', ')} or the next release.`,
      });
    }
    const own = asArray(source.tags).map(asString);
    if (own.length !== 1) {
      findings.push({
        place,
        message: `${id} has ${own.length} tags. Give it exactly one; it decides the folder of the handler.`,
      });
    } else if (!tags.includes(own[0] ?? '')) {
      findings.push({
        place: [...place, 'tags'],
        message: `${id} has the tag "${own[0]}", which the root list of tags lacks. Add it there.`,
      });
    }
  }
  return findings;
}

/** Every operation lists the errors that can happen with any request. */
export function statuses(contract: Contract): Finding[] {
  const findings: Finding[] = [];
  for (const { place, id, source } of routed(contract)) {
    const listed = Object.keys(asObject(source.responses));
    const demanded = source.requestBody === undefined ? STATUSES : [...STATUSES, ...BODY_STATUSES];
    const missing = ['200', ...demanded].filter((status) => !listed.includes(status));
    if (missing.length > 0) {
      findings.push({
        place: [...place, 'responses'],
        message: `${id} does not list ${missing.join(', ')}. Refer to the response component of each.`,
      });
    }
    if (listed.includes('default')) {
      findings.push({
        place: [...place, 'responses', 'default'],
        message: `${id} has a default answer, which hides what it can answer. List each status.`,
      });
    }
  }
  return findings;
}
