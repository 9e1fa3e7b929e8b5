/** What uses each secret, again and again, while it is changed: page tokens, forms, URLs, endpoints, a key. */
import { hashKey } from '../../../handlers/access/keys.ts';
import { ask } from '../../testbed/ask.ts';
import { postForm } from '../../testbed/disk-storage.ts';
import type { TestTenant } from '../../testbed/tenant.ts';
import { EVENTS_PATH } from './deployment.ts';
import { pause } from './fleet.ts';
import type { RollingFleet } from './rolling.ts';

const PAUSE_MS = 100;
const PAGE = 10;
const HOOK = '/swap';
/** Events of the last moment before an endpoint existed may not come to it. */
const MARGIN_MS = 1_000;
const PDF = Buffer.from('%PDF-1.7\nrotated');

interface HeldForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

export class KeyUsers {
  readonly #fleet: RollingFleet;
  readonly #tenant: TestTenant;
  readonly #wrong: string[] = [];
  readonly #count = { pages: 0, files: 0, endpoints: 0 };
  #key = '';
  #formerKey = '';
  #heldToken = '';
  #heldForm: HeldForm | undefined;
  #subscribedMs = Number.POSITIVE_INFINITY;
  #lanes: Promise<void>[] = [];
  #isEnding = false;

  constructor(fleet: RollingFleet, tenant: TestTenant) {
    this.#fleet = fleet;
    this.#tenant = tenant;
  }

  async begin(): Promise<void> {
    this.#key = await this.#tenant.key();
    const [files = '', hooks = ''] = await this.#tenant.keys(2);
    const works = [() => this.#walk(), () => this.#file(files), () => this.#endpoint(hooks)];
    this.#lanes = works.map((work) => this.#lane(work));
  }

  async #lane(work: () => Promise<void>): Promise<void> {
    while (!this.#isEnding) {
      await work().catch((error: Error) => this.#wrong.push(error.message));
      await pause(PAUSE_MS);
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is judged field by field
  async #ask(path: string, key = this.#key, body?: object, method = body ? 'POST' : 'GET'): Promise<any> {
    const { balancer, watched } = this.#fleet;
    for (;;) {
      const answer = await ask(method, `${balancer.url}/developer/v1${path}`, key, body, {}, watched.fetch);
      if (answer.status !== 429) return { ...answer.body, status: answer.status };
      // As a client does: on a fast machine the work comes to the limit of its key.
      await pause(PAUSE_MS);
    }
  }

  /** Reads all pages of a list, each from any process. */
  async #walk(): Promise<void> {
    for (let token = ''; ; ) {
      const said = await this.#ask(`/employees?limit=${PAGE}${token && `&page_token=${encodeURIComponent(token)}`}`);
      if (said.status !== 200) return;
      this.#count.pages++;
      token = said.next_page_token;
      if (!token) return;
    }
  }

  async #reserve(key: string) {
    const wanted = { filename: 'f.pdf', content_type: 'application/pdf', size_bytes: PDF.length };
    return this.#ask('/files', key, wanted);
  }

  /** Uploads a file with a form of one process, and confirms it at another. */
  async #file(key: string): Promise<void> {
    const { file, upload } = await this.#reserve(key);
    const status = await postForm(upload, PDF);
    if (status !== 204) this.#wrong.push(`storage answered ${status} to a form`);
    await this.#ask(`/files/${file.id}/_confirm`, key, {});
    this.#count.files++;
  }

  /** Makes an endpoint, whose secret one process seals, and has others open it. */
  async #endpoint(key: string): Promise<void> {
    const { receiver } = this.#fleet.documents.deployment;
    const path = `/endpoint-${this.#count.endpoints++}`;
    const made = { url: receiver.url + path, event_types: ['employee.deleted'] };
    const { secret, webhook_endpoint } = await this.#ask('/webhook_endpoints', key, made);
    receiver.secrets.set(path, secret);
    for (let time = 0; time < 4; time++) {
      const { status_code } = await this.#ask(`/webhook_endpoints/${webhook_endpoint.id}/_test`, key, {});
      if (status_code !== 204) this.#wrong.push(`a test event was not delivered: ${status_code}`);
    }
    await this.#ask(`/webhook_endpoints/${webhook_endpoint.id}`, key, undefined, 'DELETE');
  }

  async holdToken(): Promise<void> {
    this.#heldToken = (await this.#ask(`/employees?limit=${PAGE}`)).next_page_token;
  }

  /** @returns the status */
  async useHeldToken(): Promise<number> {
    return (await this.#ask(`/employees?limit=${PAGE}&page_token=${encodeURIComponent(this.#heldToken)}`)).status;
  }

  async holdForm(): Promise<void> {
    this.#heldForm = (await this.#reserve(this.#key)).upload;
  }

  /** @returns the status */
  async useHeldForm(): Promise<number> {
    return this.#heldForm === undefined ? 0 : postForm(this.#heldForm, PDF);
  }

  async keyId(): Promise<string> {
    return (await this.#tenant.store.api_keys.findOne({ key_hash: hashKey(this.#key) }))?._id ?? '';
  }

  /** From now on the key is used that the operator has made. */
  changeKey(secret: string): void {
    this.#formerKey = this.#key;
    this.#key = secret;
  }

  /** @returns the status; it is no answer that counts */
  async useFormerKey(): Promise<number> {
    return (await ask('GET', `${this.#fleet.balancer.url}/developer/v1/employees`, this.#formerKey)).status;
  }

  /** Makes the endpoint whose secret is to be changed. @returns what the blocks need */
  async subscribe(): Promise<Record<string, string>> {
    const { receiver } = this.#fleet.documents.deployment;
    const [key = ''] = await this.#tenant.keys(1);
    const url = receiver.url + HOOK;
    const made = await this.#ask('/webhook_endpoints', key, { url, event_types: ['employee.changed'] });
    receiver.secrets.set(HOOK, [made.secret]);
    this.#subscribedMs = Date.now() + MARGIN_MS;
    return { HOOK: url, KEY: key, OLD: made.webhook_endpoint.id };
  }

  acceptToo(secret: string): void {
    const { secrets } = this.#fleet.documents.deployment.receiver;
    secrets.set(HOOK, [...[secrets.get(HOOK) ?? []].flat(), secret]);
  }

  acceptOnlyNewest(): void {
    const { secrets } = this.#fleet.documents.deployment.receiver;
    secrets.set(HOOK, [secrets.get(HOOK) ?? []].flat().slice(-1));
  }

  /** Ends the lanes. @returns what is wrong */
  async end(): Promise<readonly string[]> {
    this.#isEnding = true;
    await Promise.all(this.#lanes);
    return [...new Set(this.#wrong)];
  }

  /** Events that did not come to the endpoint whose secret was changed, once everything is delivered. */
  missedEvents(): string[] {
    const { receiver } = this.#fleet.documents.deployment;
    const came = new Set(receiver.at(HOOK).map(({ id }) => id));
    const due = receiver
      .at(EVENTS_PATH)
      .filter(({ type, occurredAtMs }) => type === 'employee.changed' && occurredAtMs > this.#subscribedMs);
    const missed = due.filter(({ id }) => !came.has(id)).length;
    return missed === 0 ? [] : [`endpoint-secret: ${missed} of ${due.length} events did not come`];
  }

  get line(): string {
    const { pages, files, endpoints } = this.#count;
    return `Meanwhile ${pages} pages were read by page token, ${files} files uploaded by form, ${endpoints} endpoints made.`;
  }
}
