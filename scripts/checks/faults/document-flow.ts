/**
 * One document's life as a client sees it: the client repeats each step until it is acknowledged, even if the server
 * dies. The acknowledged steps are recorded. A step that was sent but not answered is simply sent again, which the
 * contract promises to be safe.
 */
import type { Random } from '../../operate/seed/random.ts';
import { ask, type JsonAnswer } from '../../testbed/ask.ts';
import { postForm } from '../../testbed/disk-storage.ts';
import type { DocumentsDeployment, Owner } from './deployment.ts';
import { BrokenPromise, pause } from './fleet.ts';

/** The server died before it answered. */
class ServerGone extends Error {}

/** Longer than the leases of several consecutive attempts with unknown results. */
const PATIENCE_MS = 180_000;
const STATE_ERROR = 'DOCUMENT.INVALID_STATUS_TRANSITION';
/** An attempt that ended because the store was away may hold its key for half a minute. */
const IN_PROGRESS = 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS';
const LONG_PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(40_000, 'x')]);

interface Answer extends JsonAnswer {
  /** Whether an earlier attempt was refused with 503. Such a refusal may come after the change was made. */
  readonly wasRefused: boolean;
}

/** The steps in their order. */
const STEPS = ['upload', 'create', 'route', 'send', 'approve', 'sign'] as const;
export type StepName = (typeof STEPS)[number];
type Actor = 'initiator' | 'approver' | 'signer';

/** How a document is made. */
export interface FlowOptions {
  readonly deployment: DocumentsDeployment;
  readonly random: Random;
  /** Returns the server for the next request. */
  readonly url: () => string;
  /** Sends a request. */
  readonly send: typeof fetch;
  /** Whether the document is only created, from its template. */
  readonly isShort?: boolean;
}

export class DocumentFlow {
  readonly title: string;
  readonly fromFile: boolean;
  readonly #options: FlowOptions;
  readonly #key: Readonly<Record<Actor, string>>;
  readonly #steps: readonly StepName[];
  #form: { readonly url: string; readonly fields: Readonly<Record<string, string>> } = { url: '', fields: {} };
  #fileId = '';
  #uploaded = false;
  /** Whether the next step may already have been done without an answer. */
  #again = false;
  documentId = '';
  /** Every step that was acknowledged. */
  readonly acknowledged = new Set<StepName>();
  /** How often a step had to be repeated after the server died. */
  repeats = 0;

  constructor(name: string, options: FlowOptions) {
    const { deployment, random, isShort = false } = options;
    this.#options = options;
    this.title = `Fault ${name}`;
    this.fromFile = !isShort && random.chance(0.4);
    this.#steps = isShort ? ['create'] : STEPS.slice(this.fromFile ? 0 : 1);
    const pick = (owner: Owner) => random.pick(owner.keys);
    this.#key = {
      initiator: pick(deployment.initiator),
      approver: pick(deployment.approver),
      signer: pick(deployment.signer),
    };
  }

  /**
   * Takes the steps that are left, beginning with the one that a server's death left open.
   * @param onStep is called at once for each step that was acknowledged or that the server left open
   * @returns whether all steps are acknowledged; otherwise the server is gone
   * @throws BrokenPromise when the server breaks a promise
   */
  async goOn(onStep: (what: 'acknowledged' | 'gone') => void = () => {}): Promise<boolean> {
    for (const step of this.#steps.slice(this.acknowledged.size)) {
      if (this.#again) this.repeats++;
      try {
        await this[step](this.#again);
      } catch (error) {
        if (!(error instanceof ServerGone)) throw error;
        this.#again = true;
        onStep('gone');
        return false;
      }
      this.#again = false;
      this.acknowledged.add(step);
      onStep('acknowledged');
    }
    return true;
  }

  async upload(): Promise<void> {
    if (this.#fileId === '') {
      const wanted = { filename: 'f.pdf', content_type: 'application/pdf', size_bytes: LONG_PDF.length };
      const reserved = await this.#ask('initiator', '/files', wanted);
      this.#mustBe(reserved, 200, 'reserve');
      this.#fileId = reserved.body.file.id;
      this.#form = reserved.body.upload;
    }
    if (!this.#uploaded) {
      const status = await postForm(this.#form, LONG_PDF, {}, this.#fetch);
      if (status !== 204) throw new BrokenPromise(`${this.title}: storage answered ${status}`);
      this.#uploaded = true;
    }
    const confirmed = await this.#ask('initiator', `/files/${this.#fileId}/_confirm`, {});
    this.#mustBe(confirmed, 200, 'confirm');
  }

  async create(again: boolean): Promise<void> {
    const { typeId: type_id, templateId: template_id } = this.#options.deployment;
    const template_values = { employee_name: 'Тест', leave_type: 'annual', start_date: '2026-03-02', days: 14 };
    const content = this.fromFile ? { file_id: this.#fileId } : { template_id, template_values };
    const headers = { 'Idempotency-Key': this.title.replaceAll(' ', '-') };
    const answer = await this.#ask('initiator', '/documents', { title: this.title, type_id, ...content }, headers);
    this.#mustBe(answer, 200, again ? 'create again' : 'create');
    const { id } = answer.body.document;
    if (this.documentId !== '' && this.documentId !== id) throw new BrokenPromise(`${this.title}: two documents`);
    this.documentId = id;
  }

  async route(): Promise<void> {
    const slot = (owner: Owner) => ({ participants: [{ employee_id: owner.employeeId }] });
    const steps = [
      { step_type: 'STEP_TYPE_APPROVAL', ...slot(this.#options.deployment.approver) },
      { step_type: 'STEP_TYPE_SIGNING', ...slot(this.#options.deployment.signer) },
    ];
    this.#mustBe(await this.#act('initiator', '_set_route', { steps }), 200, 'route');
  }

  async send(again: boolean): Promise<void> {
    await this.#once('initiator', '_send', again);
  }

  async approve(again: boolean): Promise<void> {
    await this.#once('approver', '_approve', again);
  }

  async sign(again: boolean): Promise<void> {
    await this.#once('signer', '_sign', again);
  }

  /** A repeated action either does the change now or finds that it was done: never both, never neither. */
  async #once(who: Actor, action: string, again: boolean): Promise<void> {
    const answer = await this.#act(who, action, {});
    if ((again || answer.wasRefused) && answer.status === 400 && answer.reason === STATE_ERROR) return;
    this.#mustBe(answer, 200, action);
  }

  #act(who: Actor, action: string, body: object): Promise<Answer> {
    return this.#ask(who, `/documents/${this.documentId}/${action}`, body);
  }

  #mustBe(answer: Answer, status: number, what: string): void {
    if (answer.status === status) return;
    throw new BrokenPromise(`${this.title}: ${what} was answered with ${answer.status} ${answer.reason}`);
  }

  /** Sends one request. Waits while the rate limit or another temporary refusal lasts, as a client does. */
  async #ask(who: Actor, path: string, body: object, headers = {}): Promise<Answer> {
    const endAt = performance.now() + PATIENCE_MS;
    let wasRefused = false;
    for (;;) {
      const url = `${this.#options.url()}/developer/v1${path}`;
      const answer = await ask('POST', url, this.#key[who], body, headers, this.#fetch).catch(() => this.#gone());
      const { status, reason } = answer;
      wasRefused ||= status === 503;
      const passes = status === 429 || status === 503 || reason === IN_PROGRESS;
      if (!passes) return { ...answer, wasRefused };
      if (performance.now() > endAt)
        throw new BrokenPromise(`${this.title}: ${path} is answered with ${status} for ever`);
      await pause(200);
    }
  }

  readonly #fetch: typeof fetch = (url, request) =>
    this.#options.send(url, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => this.#gone());

  #gone(): never {
    throw new ServerGone();
  }
}
