/** Causes each type of event in the demo tenant: by the interface where a key can, else by the settings tool. */
import { CommandError } from '../../../client/src/cli/command-line.ts';
import type { StartFolder } from '../../../client/src/cli/start-folder.ts';
import type { EventCause } from '../../../client/src/cli/trigger.ts';
import { DeveloperApi } from '../../../client/src/client.ts';
import type { WebhookEventType } from '../../../client/src/types.ts';
import { now } from '../../../handlers/runtime/clock.ts';
import { keptOutput } from '../../kit/command-line.ts';
import { settings } from '../settings/main.ts';
import { demoTenants, idsOf } from '../suite/tenant-set.ts';

/** The personnel number of the employee whom these events are about; made where missing. */
const EMPLOYEE_NUMBER = 'WEBHOOKS';

/** The demo tenant of an `npm start`, as its people and as its administrator see it. */
interface DemoTenant {
  /** A fact of `npm start`, such as an id. */
  readonly fact: (name: string) => string;
  readonly initiator: DeveloperApi;
  readonly approver: DeveloperApi;
  /** Runs a command of the settings tool. @returns its JSON @throws CommandError if it is refused */
  readonly settings: (...words: string[]) => Promise<SettingsRow>;
}

interface SettingsRow {
  readonly id: string;
  readonly person_id: string;
}

/** Does what an event tells of. @returns the id of its object */
type Cause = (demo: DemoTenant) => Promise<string>;

const causes: Readonly<Record<WebhookEventType, Cause>> = {
  'employee.changed': async (demo) => {
    const { id } = await employee(demo);
    await demo.settings('employees', 'update', id, '--email', `${Date.now()}@example.com`);
    return id;
  },
  'person.changed': async (demo) => {
    const { id, person_id } = await employee(demo);
    await demo.settings('persons', 'update', person_id, '--middle-name', `Сынақ-${Date.now()}`);
    return id;
  },
  'employee.deleted': async (demo) => {
    const { id } = await newEmployee(demo, '');
    await demo.settings('employees', 'delete', id);
    return id;
  },
  'document.sent': sent,
  'document.approval_started': sent,
  'document.signing_started': approved,
  'document.completed': async (demo) => {
    const id = await approved(demo);
    await demo.initiator.documents.sign(id);
    return id;
  },
  'document.rejected': async (demo) => {
    const id = await sent(demo);
    await demo.approver.documents.reject(id, { comment: 'Сынақ' });
    return id;
  },
  'document.change_requested': async (demo) => {
    const id = await sent(demo);
    await demo.settings('documents', 'request-changes', id, '--by', demo.fact('APPROVER'), '--comment', 'Сынақ');
    return id;
  },
  'document.revoked': async (demo) => {
    const id = await sent(demo);
    await demo.settings('documents', 'revoke', id, '--by', demo.fact('INITIATOR'));
    return id;
  },
  'document.deleted': async (demo) => {
    const id = await draft(demo);
    await demo.settings('documents', 'delete', id, '--by', demo.fact('INITIATOR'));
    return id;
  },
};

/** The invented employee who changes. */
async function employee(demo: DemoTenant): Promise<SettingsRow> {
  try {
    return await demo.settings('employees', 'show', EMPLOYEE_NUMBER);
  } catch {
    return newEmployee(demo, EMPLOYEE_NUMBER);
  }
}

async function newEmployee({ settings }: DemoTenant, number: string): Promise<SettingsRow> {
  const person = await settings('persons', 'create', '--last-name', 'Сынақов', '--first-name', 'Вебхук');
  return settings('employees', 'create', '--person', person.id, '--number', number);
}

async function draft({ initiator, fact }: DemoTenant): Promise<string> {
  const template_values = { employee_name: 'Сынақов Вебхук', leave_type: 'annual', start_date: '2026-03-16', days: 14 };
  const [type_id, template_id] = [fact('TYPE'), fact('TEMPLATE')];
  const { document } = await initiator.documents.create({ title: 'Webhooks', type_id, template_id, template_values });
  return document.id;
}

async function sent(demo: DemoTenant): Promise<string> {
  const id = await draft(demo);
  const step = (step_type: 'STEP_TYPE_APPROVAL' | 'STEP_TYPE_SIGNING', name: string) => ({
    step_type,
    participants: [{ employee_id: demo.fact(name) }],
  });
  const steps = [step('STEP_TYPE_APPROVAL', 'APPROVER'), step('STEP_TYPE_SIGNING', 'INITIATOR')];
  await demo.initiator.documents.setRoute(id, { steps });
  await demo.initiator.documents.send(id);
  return id;
}

async function approved(demo: DemoTenant): Promise<string> {
  const id = await sent(demo);
  await demo.approver.documents.approve(id);
  return id;
}

function demoOf({ folder, facts }: StartFolder): DemoTenant {
  const fact = (name: string) => facts[name] ?? '';
  const client = (name: string) => new DeveloperApi({ apiKey: fact(name), baseUrl: fact('API') });
  return {
    fact,
    initiator: client('KEY'),
    approver: client('APPROVER_KEY'),
    async settings(...words) {
      const { written, ...output } = keptOutput();
      const argv = ['--data', folder, '--tenant', idsOf(demoTenants).main, '--json', ...words];
      const code = await settings(argv, { ...output, env: process.env, now });
      if (code !== 0) throw new CommandError(code, written.err.trim());
      return JSON.parse(written.out);
    },
  };
}

/** Causes events in the demo tenant of an `npm start`. */
export function demoEvents(): EventCause {
  let demo: DemoTenant | undefined;
  return async (type, start) => {
    demo ??= demoOf(start);
    const id = await causes[type](demo);
    return { [type.startsWith('document.') ? 'document_id' : 'employee_id']: id };
  };
}
