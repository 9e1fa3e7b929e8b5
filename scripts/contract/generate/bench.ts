import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { validators } from '../../../generated/validators.js';
import { asObject, operationsOf, readContract, resolve } from '../read.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ROWS = 100;

/** Microseconds that one call takes: the median of several rounds, after a warm-up. */
export function microseconds(work: () => unknown, calls = 2000, rounds = 9): number {
  for (let call = 0; call < calls; call += 1) work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begin = process.hrtime.bigint();
    for (let call = 0; call < calls; call += 1) work();
    times.push(Number(process.hrtime.bigint() - begin) / 1000 / calls);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(rounds / 2)] ?? 0;
}

/**
 * Measures what validation costs on this machine: an answer of 100 employees made from the contract's example, and
 * typical parameters.
 */
async function bench(): Promise<void> {
  const contract = await readContract(`${ROOT}openapi.yaml`);
  const list = operationsOf(contract).find((operation) => operation.operationId === 'listEmployees');
  const examples = asObject(
    asObject(asObject(resolve(contract, asObject(list?.source.responses)['200']).content)['application/json']).examples,
  );
  const rows = Object.values(examples).flatMap((example) => {
    const employees = asObject(resolve(contract, example).value).employees;
    return Array.isArray(employees) ? employees : [];
  });
  if (rows.length === 0) throw new Error('The contract has no example of listEmployees with employees in it.');
  const answer = {
    employees: Array.from({ length: ROWS }, (_unused, index) => structuredClone(rows[index % rows.length])),
    next_page_token: '',
  };
  const parameters = {
    path: {},
    query: {
      limit: 100,
      status: ['EMPLOYEE_STATUS_ACTIVE'],
      updated_since: '2026-03-01T09:00:00+05:00',
      expand: ['person', 'department'],
      include_total: false,
    },
    header: { host: 'localhost', 'x-api-key': 'x', accept: '*/*' },
  };
  const { listEmployees } = validators;
  if (!listEmployees.answer(answer)) throw new Error(JSON.stringify(listEmployees.answer.errors));
  if (!listEmployees.parameters(parameters)) throw new Error(JSON.stringify(listEmployees.parameters.errors));
  const json = JSON.stringify(answer);
  const source = await readFile(`${ROOT}generated/validators.js`, 'utf8');
  const lines: [string, number][] = [
    [`answer of ${ROWS} employees`, microseconds(() => listEmployees.answer(answer))],
    ['parameters of listEmployees', microseconds(() => listEmployees.parameters(parameters), 20_000)],
    [
      `for comparison: JSON.stringify of that answer (${json.length} bytes)`,
      microseconds(() => JSON.stringify(answer), 500),
    ],
  ];
  for (const [what, cost] of lines) console.log(`${cost.toFixed(2).padStart(10)} µs  ${what}`);
  console.log(`${String(source.length).padStart(10)} bytes of validators`);
}

if (import.meta.main) await bench();
