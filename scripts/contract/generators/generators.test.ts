import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { listenOnLoopback } from '../../kit/ports.ts';
import { main } from './main.ts';
import { openTarget, type Target } from './target.ts';

let service: Server;
let target: Target;

/**
 * A service with two employees on two pages, which accepts every batch and answers that any single employee is unknown.
 */
beforeAll(async () => {
  const employee = {
    manager_id: '',
    work_email: '',
    end_date: '',
    status: 'EMPLOYEE_STATUS_ACTIVE',
    person: { full_name: 'A' },
  };
  service = createServer(async (request, response) => {
    await text(request);
    const isSecond = request.url?.endsWith('page_token=2');
    response.end(JSON.stringify({ employees: [employee], next_page_token: isSecond ? '' : '2', record_count: 1 }));
  });
  const port = await listenOnLoopback(service);
  target = await openTarget(`http://127.0.0.1:${port}`, 'key');
});

afterAll(() => {
  void target.close();
  service.close();
});

afterEach(() => {
  jest.restoreAllMocks();
});

const seen = {
  pages: 2,
  employees: 2,
  persons: 2,
  managers: 0,
  without_manager: 2,
  without_email: 2,
  without_end: 2,
  PERSONS: 1,
  EMPLOYEES_FULL: 1,
  refusal: 'EMPLOYEE_NOT_FOUND',
};
const records = {
  PERSONS: { external_id: 'G-1', first_name: 'Әсел', birth_date: '1990-03-15', email: '' },
  EMPLOYEES_FULL: { ТабельныйНомер: 'G-1', ФизЛицо: { Имя: 'Дәулет' } },
};

/** A program that sends these records and prints that it has seen this. */
function program(sent: object, claimed: object): [string, string[]] {
  const code = `for (const [payload_type, record] of Object.entries(${JSON.stringify(sent)})) {
    const body = JSON.stringify({ payload_type, records: [record] });
    await fetch(process.env.BASE_URL + '/developer/v1/ingest/KEDO', { method: 'POST', body });
  }
  console.log(${JSON.stringify(JSON.stringify(claimed))});`;
  return [process.execPath, ['--input-type=module', '-e', code]];
}

test('a program that saw and sent what was expected passes', async () => {
  expect(await target.judge(...program(records, seen))).toBe('2 employees on 2 pages, 2 batches, a refusal');
});

test.each([
  ['saw too few', program(records, { ...seen, employees: 1 }), /the program saw .*"employees":1/],
  ['sent another text', program({ ...records, PERSONS: { external_id: 'G-1' } }, seen), /the program sent/],
  ['sent nothing', program({}, seen), /the program sent \{\}/],
  ['fails', [process.execPath, ['-e', "throw new Error('broken')"]] as [string, string[]], /broken/],
])('a program that %s fails with the reason', async (_what, [file, argv], reason) => {
  await expect(target.judge(file, argv)).rejects.toThrow(reason);
});

test('the proxy answers the list as a later release may', async () => {
  const page = await (await fetch(`${target.url}/developer/v1/employees?limit=1`)).json();
  expect(page).toMatchObject({
    employees: [{ status: 'EMPLOYEE_STATUS_OF_A_LATER_RELEASE', of_a_later_release: { a: [1] } }],
    of_a_later_release: 'x',
  });
});

test('arguments that cannot be used are refused, with the reason', async () => {
  delete process.env.KEY;
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await main(['--only', 'swagger'])).toBe(2);
  expect(said).toHaveBeenCalledWith('There is no swagger; --help lists all tools.\n');
  expect(await main(['--url', 'http://127.0.0.1:1'])).toBe(2);
  expect(said).toHaveBeenCalledWith('KEY is not set: a key of that service.\n');
});
