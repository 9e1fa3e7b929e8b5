/** Faults that the rules of general.rules.ts must catch. */
import {
  accepts,
  each,
  everything,
  heads,
  type Json,
  jsonBody,
  keyed,
  madeError,
  parse,
  reasonOf,
  refused,
  setHeader,
} from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'gen-no-prefix',
    rule: 'GEN-1',
    breaks: 'paths without the prefix are served',
    alter: accepts((asked) => !asked.target.startsWith('/developer/v1'), refused, {
      employees: [],
      next_page_token: '',
    }),
  },
  {
    id: 'gen-any-media-type',
    rule: 'GEN-4',
    breaks: 'a body of any media type is taken',
    alter: accepts(everything, (answer) => answer.status === 415),
  },
  {
    id: 'gen-any-body',
    rule: 'GEN-4',
    breaks: 'a body that is an array is taken',
    alter: accepts(
      everything,
      (answer, asked) => reasonOf(answer) === 'INVALID_ARGUMENT' && asked.body.toString().startsWith('['),
    ),
  },
  {
    id: 'gen-one-view',
    rule: 'GEN-9',
    breaks: 'every key sees what the first sees',
    alter: keyed('listEmployees', 'any', 'full'),
  },
  {
    id: 'gen-scope-only',
    rule: 'GEN-10',
    breaks: 'the owner’s permissions do not count',
    alter: keyed(['listEmployees', 'getEmployee'], 'restricted_owner', 'full'),
  },
  {
    id: 'gen-action-as-id',
    rule: 'GEN-13',
    breaks: 'an unknown action is served as a record',
    alter: accepts(
      (asked) => /\/_\w+$/.test(asked.target),
      (answer) => answer.status >= 400,
      { employee: {} },
    ),
  },
  {
    id: 'gen-unknown-path-html',
    rule: 'GEN-14',
    breaks: 'an unknown path is an HTML page',
    alter: heads(
      everything,
      (answer) => {
        answer.body = Buffer.from('<html>Not found</html>');
        setHeader(answer, 'Content-Type', 'text/html');
      },
      (answer) => answer.status === 404,
    ),
  },
  {
    id: 'gen-no-allow',
    rule: 'GEN-15',
    breaks: 'METHOD_NOT_ALLOWED has no Allow',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'Allow', undefined),
      (answer) => answer.status === 405,
    ),
  },
  {
    id: 'gen-405-is-404',
    rule: 'GEN-15',
    breaks: 'a method that a path does not have is 404',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return answer.status === 405 ? madeError('PATH_NOT_FOUND') : answer;
    },
  },
  {
    id: 'gen-employees-written',
    rule: 'GEN-16',
    breaks: 'PATCH on an employee is accepted',
    alter: accepts((asked) => asked.target.includes('/employees') && asked.method !== 'GET', refused, { employee: {} }),
  },
  {
    id: 'gen-employees-changed',
    rule: 'GEN-16',
    breaks: 'a write through the paths of employees is refused and done',
    alter: each('getEmployee', (one, _asked, memory) => {
      const n = Number(memory.notes.get('n') ?? 0) + 1;
      memory.notes.set('n', n);
      if (n > 1) one.employee_number += '1';
    }),
  },
  {
    id: 'gen-no-prefix-elsewhere',
    rule: 'GEN-17',
    breaks: 'ingest without the prefix is served',
    alter: accepts((asked) => !asked.target.startsWith('/developer/v1'), refused, { status: 'ACCEPTED' }),
  },
  {
    id: 'priv-type-says-name',
    rule: 'PRIV-7',
    breaks: 'a template names an employee',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const json = parse(answer.body);
      const person = json?.employees?.find((one: Json) => one.person?.iin)?.person ?? json?.employee?.person;
      if (person) memory.notes.set('person', `${person.last_name} ${person.first_name} ${person.iin}`);
      if (json?.document_templates?.[0] && memory.notes.has('person')) {
        json.document_templates[0].title = memory.notes.get('person');
        answer.body = jsonBody(json);
      }
      return answer;
    },
  },
];
