/** Around the parts of a program on the page, which the test puts in. */
// biome-ignore-all lint/correctness/noUnusedVariables: the parts use them
import { DeveloperApi } from 'developer-api-client';

const { baseUrl, apiKey, type_id, template_id, employee } = JSON.parse(process.env.GIVEN);
const client = new DeveloperApi({ apiKey, baseUrl });
const template_values = {};
const steps = [{ step_type: 'STEP_TYPE_SIGNING', participants: [{ employee_id: employee }] }];
const signal = AbortSignal.timeout(60_000);
// Somebody signs while the program waits.
const send = client.documents.send.bind(client.documents);
client.documents.send = async (id) => {
  const sent = await send(id);
  client.documents.sign(id);
  return sent;
};
// A document.
const copied = [];
let next = '';
const load = async () => undefined;
const save = async ({ id }) => copied.push(id);
const store = async (since) => {
  next = since;
  throw new Error('one round is enough');
};
const copy = async () => {
  // A copy.
};
await copy().catch(() => {});
console.log(JSON.stringify({ status: done.status, type: pdf.type, copied, next }));
