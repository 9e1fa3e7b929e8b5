import {
  ApiError,
  DeveloperApi,
  type Employee,
  expressWebhook,
  fastifyWebhook,
  verifyWebhook,
  type WebhookEvent,
  webhookHandler,
} from 'developer-api-client';
import { fileAt } from 'developer-api-client/node';

const client = new DeveloperApi({ apiKey: 'YOUR_KEY', baseUrl: 'http://127.0.0.1:8080' });

/** What compiles is checked; nothing here runs. */
export async function everything(signal: AbortSignal): Promise<void> {
  for await (const employee of client.employees.list({ limit: 100, expand: ['person'] }, { signal })) {
    const name: string | undefined = employee.person?.full_name;
    const same: Employee = employee;
    console.log(name, same.redacted_fields.length);
    // A later release may have other values.
    if (employee.status === 'EMPLOYEE_STATUS_SABBATICAL') console.log('later');
    if (employee.status === 'EMPLOYEE_STATUS_ACTIVE') console.log('known');
  }
  // @ts-expect-error a request has only the values of the contract
  client.employees.list({ status: ['EMPLOYEE_STATUS_SABBATICAL'] });
  // @ts-expect-error a field that the contract has not
  client.employees.list({ limits: 1 });
  client.employees.list({ updated_since: new Date(), department_id: undefined });
  const { document } = await client.documents.create(
    { title: 't', type_id: 'i', file_id: 'f' },
    { idempotencyKey: 'k' },
  );
  const status: string = document.status;
  await client.documents.waitFor(document.id, ['DOCUMENT_STATUS_COMPLETED', 'A_LATER_ONE'], { timeoutMs: 1, signal });
  const { id } = await client.files.upload(await fileAt('a.pdf'), {
    onProgress: (sent, total) => console.log(sent / total),
  });
  const { document_template } = await client.documentTemplates.get('t');
  for (const variable of Object.values(document_template.variable_schema.properties)) {
    if (variable.type === 'array') console.log(variable.items);
  }
  for await (const round of client.employees.follow({ everyMs: 1 })) {
    for await (const employee of round) console.log(employee.id);
    console.log(round.next);
  }
  try {
    await client.apiKey.verify();
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'DEVELOPER.SCOPE_INSUFFICIENT')
      console.log(error.metadata.required_scope);
    if (error instanceof ApiError && error.reason === 'A.LATER_ONE') console.log(error.retryAfterMs ?? 0);
  }
  console.log(status, id);
}

function handle(event: WebhookEvent): string {
  switch (event.type) {
    case 'employee.changed':
    case 'person.changed':
      return event.data.employee_id;
    case 'document.completed':
      return event.data.document_id;
    default:
      return event.type;
  }
}

export const receivers = [
  expressWebhook({ secrets: 's', onEvent: handle }),
  fastifyWebhook('/hooks', { secrets: ['a', 'b'], onEvent: handle }),
  webhookHandler({ secrets: 's', onEvent: async (event) => console.log(handle(event)) }),
];
export const verified: Promise<WebhookEvent> = verifyWebhook('body', 'header', 'secret');
