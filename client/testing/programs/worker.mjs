/** What a worker does: it lists, uploads, is refused, waits, and receives deliveries. */
import { ApiError, DeveloperApi, signWebhook, webhookHandler } from './client/src/index.js';

const secrets = ['whsec_of-a-worker'];
const events = [];
const hooks = webhookHandler({ secrets, onEvent: ({ id }) => events.push(id) });

async function deliver(id, secret) {
  const body = JSON.stringify({ id, type: 'employee.changed', occurred_at: new Date().toISOString(), data: {} });
  const headers = { 'Service-Signature': await signWebhook(body, secret) };
  return (await hooks(new Request('https://worker.test/', { method: 'POST', headers, body }))).status;
}

// biome-ignore lint/style/noDefaultExport: workers have it
export default {
  async fetch(request) {
    const { baseUrl, apiKey, employee, pdf } = await request.json();
    const client = new DeveloperApi({ apiKey, baseUrl });
    const ids = [];
    // More than the limit allows at once, so that some of them wait for their turn.
    for await (const { id } of client.employees.list({ limit: 1 })) ids.push(id);
    for (let i = 0; i < 10; i += 1) await client.employees.get(employee);
    const progress = [];
    const onProgress = (sent) => progress.push(sent);
    const file = await client.files.upload(new TextEncoder().encode(pdf), { filename: 'scan.pdf', onProgress });
    const refusal = await client.employees.get('00000000-0000-4000-8000-000000000000').catch((error) => error);
    return Response.json({
      ids,
      file: { filename: file.filename, size: Number(file.size_bytes), sent: progress.at(-1) },
      refusal: { isApiError: refusal instanceof ApiError, reason: refusal.reason },
      answers: [await deliver('a', secrets[0]), await deliver('a', secrets[0]), await deliver('b', 'whsec_other')],
      events,
    });
  },
};
