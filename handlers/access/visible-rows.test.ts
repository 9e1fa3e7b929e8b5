/** Rows that callers read at the same moment: they may share a command, but never what they see. */
import { expect, test } from '@jest/globals';
import { TenantFixture } from '../../scripts/world/documents.ts';
import { watchCommands } from '../../scripts/world/examined.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { employeeLayout } from '../employees/view.ts';

const sent = watchCommands();
const { store } = await testDeployment();

test('employees that are read at the same moment are one command for callers who see the same', async () => {
  const [ours, theirs] = [await TenantFixture.create(store), await TenantFixture.create(store)];
  const [mine, other] = [await ours.employee(), await theirs.employee()];
  const nobody = { all: false, departments: [], reports: false, self: true };
  const owners = [
    await ours.owner(),
    await ours.owner(),
    await ours.owner({ employees: nobody }),
    await theirs.owner(),
  ];
  const callers = await Promise.all(owners.map((owner) => owner.caller()));
  sent();
  const asked = callers.flatMap(({ employees }) =>
    [mine, other].map((id) =>
      employees.get(id, employeeLayout).then(
        (row) => row._id,
        ({ errorName }) => errorName,
      ),
    ),
  );
  const missing = 'EMPLOYEE_NOT_FOUND';
  expect(await Promise.all(asked)).toEqual([mine, missing, mine, missing, missing, missing, missing, other]);
  expect(sent().filter(({ name, collection }) => name === 'find' && collection === 'employees')).toHaveLength(3);
});
