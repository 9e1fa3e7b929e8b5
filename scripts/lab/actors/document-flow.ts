/** One document's life as a client sees it: each step is repeated until it is acknowledged, whatever happens to servers. */
import type { DeveloperApi } from '../../../client/src/index.ts';
import type { Random } from '../../kit/random.ts';
import type { Company, Owner } from './company.ts';
import type { Ledger } from './ledger.ts';
import { BrokenPromise, untilAcknowledged } from './persistent.ts';

const STATE_ERROR = 'DOCUMENT.INVALID_STATUS_TRANSITION';
const LONG_PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(40_000, 'x')]);

/** The events that a document emits if it passes through all its states. */
export const DOCUMENT_EVENTS = [
  'document.sent',
  'document.approval_started',
  'document.signing_started',
  'document.completed',
];
/** Where the receiver gets every event of documents, and changes of employees. */
export const EVENTS_PATH = '/events';

/** The steps in their order. */
const STEPS = ['upload', 'create', 'route', 'send', 'approve', 'sign'] as const;
type StepName = (typeof STEPS)[number];
/** Those that are refused, by the state of the document, once they were done. */
const ACTIONS: readonly StepName[] = ['send', 'approve', 'sign'];

/** Who acts, and how requests get to the service. */
export interface Acting {
  readonly company: Company;
  readonly random: Random;
  readonly ledger: Ledger;
}

export class DocumentFlow {
  readonly title: string;
  readonly #company: Company;
  readonly #api: Readonly<Record<'initiator' | 'approver' | 'signer', DeveloperApi>>;
  readonly #steps: readonly StepName[];
  #fileId = '';
  documentId = '';
  /** Every step that was acknowledged. */
  readonly acknowledged = new Set<StepName>();
  /** How often steps had to be repeated. */
  repeats = 0;

  /** @param isShort whether the document is only created, from its template */
  constructor(name: string, { company, random, ledger }: Acting, isShort: boolean) {
    this.title = `Lab ${name}`;
    this.#company = company;
    const fromFile = random.chance(0.4);
    this.#steps = isShort ? ['create'] : STEPS.slice(fromFile ? 0 : 1);
    const client = ({ keys }: Owner) => ledger.client(random.pick(keys));
    this.#api = {
      initiator: client(company.initiator),
      approver: client(company.approver),
      signer: client(company.signer),
    };
  }

  /** @param onStep is called at once for each step that was acknowledged @throws BrokenPromise */
  async run(onStep: () => void): Promise<void> {
    for (const step of this.#steps) {
      // A repeated action either does the change now or finds that it was done: never both, never neither.
      const { repeats } = await untilAcknowledged(
        `${this.title}: ${step}`,
        () => this[step]().then(() => true),
        ({ reason }) => (ACTIONS.includes(step) && reason === STATE_ERROR ? true : undefined),
      );
      this.repeats += repeats;
      this.acknowledged.add(step);
      onStep();
    }
  }

  async upload(): Promise<void> {
    this.#fileId = (await this.#api.initiator.files.upload(LONG_PDF)).id;
  }

  /** Creates it, or finds it created. @throws BrokenPromise if its key gives another document */
  async create(): Promise<void> {
    const { typeId: type_id, templateId: template_id } = this.#company;
    const template_values = { employee_name: 'Тест', leave_type: 'annual', start_date: '2026-03-02', days: 14 };
    const content = this.#fileId === '' ? { template_id, template_values } : { file_id: this.#fileId };
    const idempotencyKey = this.title.replaceAll(' ', '-');
    const wanted = { title: this.title, type_id, ...content };
    const { document } = await this.#api.initiator.documents.create(wanted, { idempotencyKey });
    if (this.documentId !== '' && this.documentId !== document.id) {
      throw new BrokenPromise(`${this.title}: two documents`);
    }
    this.documentId = document.id;
  }

  async route(): Promise<void> {
    const slot = ({ employeeId }: Owner) => ({ participants: [{ employee_id: employeeId }] });
    const steps = [
      { step_type: 'STEP_TYPE_APPROVAL' as const, ...slot(this.#company.approver) },
      { step_type: 'STEP_TYPE_SIGNING' as const, ...slot(this.#company.signer) },
    ];
    await this.#api.initiator.documents.setRoute(this.documentId, { steps });
  }

  async send(): Promise<void> {
    await this.#api.initiator.documents.send(this.documentId);
  }

  async approve(): Promise<void> {
    await this.#api.approver.documents.approve(this.documentId);
  }

  async sign(): Promise<void> {
    await this.#api.signer.documents.sign(this.documentId);
  }
}
