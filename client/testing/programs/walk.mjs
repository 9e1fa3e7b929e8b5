/** What an integrator does, with the installed package. `api` is the package, however it was loaded. */
import { createServer } from 'node:http';

/**
 * @param given the address of the service, the keys of an initiator and of an approver, their employees, a document type,
 * and where deliveries reach a port of this machine
 * @returns what happened, as JSON
 */
export async function walk({ DeveloperApi, ApiError, expressWebhook }, { fileAt }, given) {
  const { baseUrl, apiKey, approverKey, approver, initiator, type_id, hooks, pdf } = given;
  const attempts = [];
  const client = new DeveloperApi({ apiKey, baseUrl, onAttempt: ({ status }) => attempts.push(status) });
  const progress = [];
  const file = await client.files.upload(await fileAt(pdf), { onProgress: (sent) => progress.push(sent) });
  const { document } = await client.documents.create({ title: 'Скан', type_id, file_id: file.id });
  const step = (step_type, employee_id) => ({ step_type, participants: [{ employee_id }] });
  const steps = [step('STEP_TYPE_APPROVAL', approver), step('STEP_TYPE_SIGNING', initiator)];
  await client.documents.setRoute(document.id, { steps });
  await client.documents.send(document.id);
  const other = new DeveloperApi({ apiKey: approverKey, baseUrl });
  await other.documents.approve(document.id, { comment: 'Келісемін' });
  await client.documents.waitFor(document.id, 'DOCUMENT_STATUS_ON_SIGN', { timeoutMs: 10_000 });
  await client.documents.sign(document.id);
  const done = await client.documents.waitFor(document.id, 'DOCUMENT_STATUS_COMPLETED', { timeoutMs: 10_000 });
  const bytes = await client.documents.content(done.id, { file_id: done.files[0].file_id });
  const again = await client.documents.sign(document.id).catch((error) => error);
  return {
    filename: file.filename,
    progress: { pieces: progress.length > 1, last: progress.at(-1) },
    status: done.status,
    begins: (await bytes.text()).slice(0, 5),
    size: bytes.size,
    refusal: { isApiError: again instanceof ApiError, name: again.name, reason: again.reason },
    events: await deliveries(client, expressWebhook, hooks),
    attempts: [...new Set(attempts)],
  };
}

/** Subscribes, receives a test event and verifies it with the wrong and the right secret. */
async function deliveries(client, expressWebhook, hooks) {
  const events = [];
  const faults = [];
  const secrets = ['whsec_of-an-endpoint-that-was-replaced'];
  const onEvent = (event) => events.push(event.type);
  const onError = ({ fault }) => faults.push(fault);
  const server = createServer(expressWebhook({ secrets, onEvent, onError }));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = hooks + server.address().port;
  const { webhook_endpoint, secret } = await client.webhookEndpoints.create({
    url,
    // Only the application revokes documents, so no other event comes meanwhile.
    event_types: ['document.revoked'],
  });
  const answers = [await client.webhookEndpoints.test(webhook_endpoint.id)];
  secrets.push(secret);
  answers.push(await client.webhookEndpoints.test(webhook_endpoint.id));
  await client.webhookEndpoints.delete(webhook_endpoint.id);
  server.closeAllConnections();
  server.close();
  return { answers, events, faults };
}
