/** The plugin in a Fastify of its own. */
import { fastifyWebhook, signWebhook } from 'developer-api-client';
import Fastify from 'fastify';

const secret = 'whsec_of-a-fastify';
const events = [];
const faults = [];
const onEvent = ({ id }) => {
  events.push(id);
  if (id === 'fails' && events.length < 3) throw new Error('the database is away');
};
const onError = ({ fault, message }) => faults.push(fault ?? message);
const app = Fastify();
app.register(fastifyWebhook('/hooks', { secrets: secret, onEvent, onError }));
app.post('/other', async (request) => ({ parsed: request.body }));

const bodyOf = (id) => `{"type":"employee.changed", "id":"${id}", "occurred_at":"", "data":{}}`;
async function deliver(body, own = secret) {
  const headers = { 'Content-Type': 'application/json', 'Service-Signature': await signWebhook(body, own) };
  return (await app.inject({ method: 'POST', url: '/hooks', headers, body })).statusCode;
}

const answers = [];
for (const id of ['once', 'once', 'fails', 'fails']) answers.push(await deliver(bodyOf(id)));
answers.push(await deliver(bodyOf('other'), 'whsec_other'), await deliver(' '.repeat(65_537)));
answers.push((await app.inject({ method: 'POST', url: '/hooks' })).statusCode);
const other = await app.inject({ method: 'POST', url: '/other', body: { a: 1 } });
console.log(JSON.stringify({ answers, events, faults, other: other.json() }));
