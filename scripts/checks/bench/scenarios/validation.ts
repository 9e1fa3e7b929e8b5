/** What the generated validators cost: typical parameters, and an answer of 100 employees from the contract's example. */
import { validators } from '../../../../generated/validators.js';
import { asObject, operationsOf, readContract, resolve } from '../../../contract/read.ts';
import { processorTimes } from '../processor-time.ts';
import { finding, type Scenario, type ScenarioOptions } from '../scenario.ts';

const CONTRACT = new URL('../../../../openapi.yaml', import.meta.url).pathname;
const ROWS = 100;
/** One call takes too little time to measure. */
const CALLS = 5_000;

/** The employees in the examples of listEmployees, again and again. */
async function exampleAnswer(): Promise<object> {
  const contract = await readContract(CONTRACT);
  const list = operationsOf(contract).find((operation) => operation.operationId === 'listEmployees');
  const ok = asObject(resolve(contract, asObject(list?.source.responses)['200']).content)['application/json'];
  const rows = Object.values(asObject(asObject(ok).examples)).flatMap((example) => {
    const employees = asObject(resolve(contract, example).value).employees;
    return Array.isArray(employees) ? employees : [];
  });
  const employees = Array.from({ length: ROWS }, (_, index) => structuredClone(rows[index % rows.length]));
  return { employees, next_page_token: '' };
}

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

async function run({ isQuick, say, rounds = isQuick ? 1 : 9 }: ScenarioOptions) {
  const answer = await exampleAnswer();
  const { listEmployees } = validators;
  if (!listEmployees.answer(answer)) throw new Error(JSON.stringify(listEmployees.answer.errors));
  if (!listEmployees.parameters(parameters)) throw new Error(JSON.stringify(listEmployees.parameters.errors));
  const often = (work: () => unknown) => async () => {
    for (let call = 0; call < CALLS; call++) work();
  };
  const works = new Map([
    ['parameters of listEmployees', often(() => listEmployees.parameters(parameters))],
    [`answer of ${ROWS} employees`, often(() => listEmployees.answer(answer))],
    ['… JSON.stringify of it, to compare', often(() => JSON.stringify(answer))],
  ]);
  const times = await processorTimes(works, rounds, say);
  return [...times].map(([label, ms]) => finding(label, (ms * 1_000) / CALLS, 'µs'));
}

/** The scenario. */
export const validation: Scenario = {
  name: 'validation',
  about: 'processor time of validating parameters and an answer',
  seconds: 20,
  run,
};
