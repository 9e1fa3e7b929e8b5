/**
 * Makes the replica set of compose.yaml, its first user, and the role and the user of the service. Run by mongosh on the
 * machine of the first member; again, it changes nothing.
 */
const { readFileSync } = require('node:fs');

const HOSTS = (process.env.MONGODB_HOSTS ?? 'mongod-1:27017,mongod-2:27017,mongod-3:27017').split(',');
const SECRETS = process.env.SECRETS ?? '/run/secrets';
const ROLE = process.env.ROLE_FILE ?? '/init/role.json';
const PORT = HOSTS[0].split(':')[1];
const secret = (name) => readFileSync(`${SECRETS}/${name}`, 'utf8');
const ca = encodeURIComponent(`${SECRETS}/ca.pem`);

/** The admin database of the member on this machine; with a password, as the first user. */
const at = (user = '') =>
  connect(`mongodb://${user}localhost:${PORT}/admin?directConnection=true&tls=true&tlsCAFile=${ca}`);

let admin = at();
try {
  admin.runCommand({
    replSetInitiate: {
      _id: process.env.MONGODB_SET ?? 'rs0',
      // The first user can be made only here.
      members: HOSTS.map((host, _id) => ({ _id, host, priority: _id === 0 ? 2 : 1 })),
    },
  });
} catch (error) {
  // It is there already: then users are, too, or are made now.
  if (!['AlreadyInitialized', 'Unauthorized'].includes(error.codeName)) throw error;
}
const root = { user: 'root', pwd: secret('mongodb-root-password') };
for (let tries = 0; !admin.hello().isWritablePrimary; tries++) {
  if (tries > 120) throw new Error(`${HOSTS[0]} has not become the primary within two minutes`);
  sleep(1000);
}
try {
  admin.createUser({ ...root, roles: ['root'] });
} catch (error) {
  if (!['Unauthorized', 'Location51003'].includes(error.codeName)) throw error;
}
admin = at(`${root.user}:${root.pwd}@`);
const role = JSON.parse(readFileSync(ROLE, 'utf8'));
const name = role.createRole;
if (admin.getRole(name) === null) admin.runCommand(role);
else admin.updateRole(name, { privileges: role.privileges, roles: role.roles });
if (admin.getUser(name) === null) admin.createUser({ user: name, pwd: secret('mongodb-password'), roles: [name] });
print(`The database is ready: ${name} may do what role.json says.`);
