/**
 * One document's life as a client sees it: the client repeats each step until it is acknowledged, even if the server
 * dies. The acknowledged steps are recorded. A step that was sent but not answered is simply sent again, which the
 * contract promises to be safe.
 */
import type { Random } from '../../operate/seed/random.ts';
import type { DocumentsDeployment, Owner } from './deployment.ts';

/** The server died before it answered. */
export class ServerGone extends Error {}

/** The service broke a promise. */
export class BrokenPromise extends Error {}

/** Longer than the leases of several consecutive attempts with unknown results. */
const PATIENCE_MS = 180_000;
const STATE_ERROR = 'DOCUMENT.INVALID_STATUS_TRANSITION';
/** An attempt that ended because the store was away may hold its key for half a minute. */
const IN_PROGRESS = 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS';
const LONG_PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(40_000, 'x')]);

interface Answer {
  readonly status: number;
  readonly reason: string;
  /** Whether an earlier attempt was refused with 503. Such a refusal may come after the change was made. */
  readonly wasRefused: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is judged field by field
  readonly body: any;
}

/** The steps in their order. */
const STEPS = ['upload', 'create', 'route', 'send', 'approve', 'sign'] as const;
export type StepName = (typeof STEPS)[number];

export class DocumentFlow {
  readonly title: string;
  readonly fromFile: boolean;
  readonly #deployment: DocumentsDeployment;
  readonly #url: () => string;
  readonly #send: typeof fetch;
  readonly #key: Record<'initiator' | 'approver' | 'signer', string>;
  #step: number;
  #fileId = '';
  #uploaded = false;
  documentId = '';
  /** Every step that was acknowledged. */
  readonly acknowledged = new Set<StepName>();
  /** How often a step had to be repeated after the server died. */
  repeats = 0;

  /**
   * @param url returns the server for the next request
   * @param ask sends a request
   */
  constructor(
    deployment: DocumentsDeployment,
    name: string,
    random: Random,
    url: () => string,
    ask: typeof fetch = fetch,
  ) {
    this.#deployment = deployment;
    this.#url = url;
    this.#send = ask;
    this.title = `Fault ${name}`;
    this.fromFile = random.chance(0.4);
    this.#step = this.fromFile ? 0 : STEPS.indexOf('create');
    const pick = (owner: Owner) => random.pick(owner.keys);
    this.#key = {
      initiator: pick(deployment.initiator),
      approver: pick(deployment.approver),
      signer: pick(deployment.signer),
    };
  }

  get isOver(): boolean {
    return this.#step === STEPS.length;
  }

  /**
   * Takes the next step, or repeats the one that the server's death left open.
   * @param again whether this step may already have been done without an answer
   * @throws ServerGone when the server dies; BrokenPromise when it breaks a promise
   */
  async next(again: boolean): Promise<void> {
    const step = STEPS[this.#step] as StepName;
    if (again) this.repeats++;
    await this[step](again);
    this.acknowledged.add(step);
    this.#step++;
  }

  async upload(): Promise<void> {
    if (this.#fileId === '') {
      const wanted = { filename: 'f.pdf', content_type: 'application/pdf', size_bytes: LONG_PDF.length };
      const reserved = await this.#post('initiator', '/files', wanted);
      this.#mustBe(reserved, 200, 'reserve');
      this.#fileId = reserved.body.file.id;
      this.#form = reserved.body.upload;
    }
    if (!this.#uploaded) {
      const form = new FormData();
      for (const [name, value] of Object.entries(this.#form.fields)) form.append(name, value);
      form.append('file', new Blob([LONG_PDF]));
      const stored = await this.#fetch(this.#form.url, { method: 'POST', body: form });
      if (stored.status !== 204) throw new BrokenPromise(`${this.title}: storage answered ${stored.status}`);
      this.#uploaded = true;
    }
    const confirmed = await this.#post('initiator', `/files/${this.#fileId}/_confirm`, {});
    this.#mustBe(confirmed, 200, 'confirm');
  }

  #form: { url: string; fields: Record<string, string> } = { url: '', fields: {} };

  async create(again: boolean): Promise<void> {
    const { typeId: type_id, templateId: template_id } = this.#deployment;
    const template_values = { employee_name: 'Тест', leave_type: 'annual', start_date: '2026-03-02', days: 14 };
    const content = this.fromFile ? { file_id: this.#fileId } : { template_id, template_values };
    const headers = { 'Idempotency-Key': this.title.replaceAll(' ', '-') };
    const answer = await this.#post('initiator', '/documents', { title: this.title, type_id, ...content }, headers);
    this.#mustBe(answer, 200, again ? 'create again' : 'create');
    const { id } = answer.body.document;
    if (this.documentId !== '' && this.documentId !== id) throw new BrokenPromise(`${this.title}: two documents`);
    this.documentId = id;
  }

  async route(): Promise<void> {
    const slot = (owner: Owner) => ({ participants: [{ employee_id: owner.employeeId }] });
    const steps = [
      { step_type: 'STEP_TYPE_APPROVAL', ...slot(this.#deployment.approver) },
      { step_type: 'STEP_TYPE_SIGNING', ...slot(this.#deployment.signer) },
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
  async #once(who: 'initiator' | 'approver' | 'signer', action: string, again: boolean): Promise<void> {
    const answer = await this.#act(who, action, {});
    if ((again || answer.wasRefused) && answer.status === 400 && answer.reason === STATE_ERROR) return;
    this.#mustBe(answer, 200, action);
  }

  /** The document as the service answers it now. */
  async read(): Promise<Answer> {
    return this.#ask('initiator', `/documents/${this.documentId}`, { method: 'GET' });
  }

  #act(who: 'initiator' | 'approver' | 'signer', action: string, body: object): Promise<Answer> {
    return this.#post(who, `/documents/${this.documentId}/${action}`, body);
  }

  #post(who: 'initiator' | 'approver' | 'signer', path: string, body: object, headers = {}): Promise<Answer> {
    const asJson = { 'Content-Type': 'application/json', ...headers };
    return this.#ask(who, path, { method: 'POST', headers: asJson, body: JSON.stringify(body) });
  }

  #mustBe(answer: Answer, status: number, what: string): void {
    if (answer.status === status) return;
    throw new BrokenPromise(`${this.title}: ${what} was answered with ${answer.status} ${answer.reason}`);
  }

  /** Sends one request. Waits while the rate limit or another temporary refusal lasts, as a client does. */
  async #ask(who: 'initiator' | 'approver' | 'signer', path: string, request: RequestInit): Promise<Answer> {
    const headers = { ...request.headers, 'X-API-Key': this.#key[who] };
    const endAt = performance.now() + PATIENCE_MS;
    let wasRefused = false;
    for (;;) {
      const response = await this.#fetch(`${this.#url()}/developer/v1${path}`, { ...request, headers });
      const body: Answer['body'] = await response.json().catch(() => this.#gone());
      const { status } = response;
      const reason = body.details?.[0]?.reason ?? '';
      wasRefused ||= status === 503;
      const passes = status === 429 || status === 503 || reason === IN_PROGRESS;
      if (!passes) return { status, reason, wasRefused, body };
      if (performance.now() > endAt)
        throw new BrokenPromise(`${this.title}: ${path} is answered with ${status} for ever`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  #fetch(url: string, request: RequestInit): Promise<Response> {
    return this.#send(url, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => this.#gone());
  }

  #gone(): never {
    throw new ServerGone();
  }
}
