import { rule } from './rule.ts';
import { UNKNOWN_ID, writes } from './shared/calls.ts';
import { templateBody } from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';
import { ENDPOINT, postOf, RESERVATION, requiredFields } from './shared/required-fields.ts';

const DOCUMENTS = '/documents';
const PROBE = { no_such_field: true };

rule({
  id: 'ERR-22',
  level: 'MUST',
  text: 'An unknown field of a body, at any depth, and a null in a required field or in a list are INVALID_ARGUMENT naming the field.',
  place: 'requestBody',
  decisions: ['D-6a'],
  needs: together(need.template, { operations: ['createDocument', 'setDocumentRoute', 'reserveFile'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const step = { step_type: t.spelling.step_type.SIGNING, participants: [{ employee_id: UNKNOWN_ID }] };
    const steps = [{ ...step, participants: [{ employee_id: UNKNOWN_ID, colour: 'red' }] }];
    const document = await templateBody(t);
    const required = requiredFields(t, document);
    for (const { operationId, path } of writes(t)) {
      const body = { ...required[operationId], ...PROBE };
      (await full.send(postOf(t, path, body))).blames(
        ['no_such_field', ...('url' in body ? ['url'] : [])],
        operationId,
      );
    }
    (await full.post(`/documents/${UNKNOWN_ID}/_set_route`, { steps })).blames(
      'steps[0].participants[0].colour',
      'a field of a participant',
    );
    for (const { operationId, path, bodyOptionals } of writes(t)) {
      const body = required[operationId] ?? {};
      for (const field of Object.keys(body)) {
        if (bodyOptionals.some(([name]) => name === field)) continue;
        const answer = await full.send(postOf(t, path, { ...body, [field]: null }));
        answer.blames([field, ...('url' in body ? ['url'] : [])], `${operationId}: null for ${field}`);
      }
    }
    for (const [list, steps] of [
      ['steps[1]', [step, null]],
      ['steps[0].participants[0]', [{ ...step, participants: [null] }]],
    ] as const) {
      (await full.post(`/documents/${UNKNOWN_ID}/_set_route`, { steps })).blames(list, 'null in a list');
    }
    (await full.post(DOCUMENTS, { ...document, subject_employee_ids: [null] })).blames(
      'subject_employee_ids[0]',
      'null',
    );
    (await full.post(DOCUMENTS, { ...document, tenant_id: UNKNOWN_ID })).blames('tenant_id', 'a tenant');
    (await full.post(DOCUMENTS, { ...document, status: t.spelling.document_status.COMPLETED })).blames(
      'status',
      'a status',
    );
    (await full.post('/webhook_endpoints', { ...ENDPOINT, secret: 'x' })).blames(['secret', 'url'], 'a secret');
    (await full.post('/files', { ...RESERVATION, id: UNKNOWN_ID })).blames('id', 'an id');
  },
});

/** Changes what stands at a path of the table of operations; `*` is the first item of a list. */
function changeAt(body: object, path: readonly string[], change: (holder: object, name: string) => unknown): void {
  const names = path.map((name) => (name === '*' ? '0' : name));
  const last = names.pop() as string;
  change(
    names.reduce((holder, name) => Reflect.get(holder, name), body),
    last,
  );
}

rule({
  id: 'ERR-33',
  level: 'MUST',
  text: 'null in an optional field of a body, at any depth, counts as absent; bodies with the same Idempotency-Key differ by it.',
  place: 'requestBody',
  decisions: ['D-6a'],
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const right = await templateBody(t);
    const required = requiredFields(t, right);
    for (const { operationId, path, bodyOptionals } of writes(t)) {
      if (bodyOptionals.length === 0) continue;
      const absent: object = structuredClone({ ...required[operationId], ...PROBE });
      const empty = structuredClone(absent);
      for (const field of bodyOptionals) {
        changeAt(absent, field, Reflect.deleteProperty);
        changeAt(empty, field, (holder, name) => Reflect.set(holder, name, null));
      }
      const wanted = (await full.send(postOf(t, path, absent))).violatedFields();
      (await full.send(postOf(t, path, empty))).blames(wanted, `${operationId}: null in all optional fields`);
    }
    const optionals = ['date', 'number', 'organization_id', 'subject_employee_ids', 'template_version', 'file_id'];
    const nulls = { ...right, ...Object.fromEntries(optionals.map((name) => [name, null])) };
    const key = { headers: { 'Idempotency-Key': `err-33-${t.run.run_id}` } };
    // An Idempotency-Key belongs to one API key.
    const one = t.as('full');
    await t.mayWrite();
    const [plain, odd] = [await one.post(DOCUMENTS, right), await one.post(DOCUMENTS, nulls, key)].map((answer) => {
      const { date, number, organization_id, subject_employee_ids } = answer.ok('createDocument').document;
      return { date, number, organization_id, subject_employee_ids };
    });
    t.equal(odd, plain, 'what a creation with nulls makes');
    (await one.post(DOCUMENTS, right, key)).fails('IDEMPOTENCY_KEY_CONFLICT', 'absent for null');
  },
});
