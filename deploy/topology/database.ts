/** The database of the topology: a replica set of three that speaks only TLS, and a user with the rights of the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needed } from '../../scripts/testbed/go-tool.ts';
import { findMongod } from '../../scripts/testbed/mongod-tool.ts';
import { ReplicaSet } from '../../scripts/testbed/replica-set.ts';
import { filledFile } from './filled.ts';

/** How long the members wait for the primary before they elect another one, in milliseconds: MongoDB's own time. */
const ELECTION_MS = 10_000;
const USER = 'developer_api';

/** Starts it on these ports with the files of `deploy/secrets.sh`, and makes the role and the user. */
export async function startDatabase(
  ports: readonly number[],
  secrets: string,
  say: (text: string) => void,
): Promise<ReplicaSet> {
  const program = needed(await findMongod(say));
  const file = (name: string) => join(secrets, name);
  const set = new ReplicaSet(program, ELECTION_MS, 3, {
    certificate: file('mongod.pem'),
    authority: file('ca.pem'),
    keyFile: file('mongod-keyfile'),
    root: { username: 'root', password: readFileSync(file('mongodb-root-password'), 'utf8') },
  });
  try {
    await set.start(ports);
    await set.at(await set.primary(), async (client) => {
      const admin = client.db('admin');
      await admin.command(JSON.parse(filledFile('provision/role.json', {})));
      const pwd = readFileSync(file('mongodb-password'), 'utf8');
      await admin.command({ createUser: USER, pwd, roles: [USER] });
    });
    return set;
  } catch (error) {
    await set.remove();
    throw error;
  }
}
