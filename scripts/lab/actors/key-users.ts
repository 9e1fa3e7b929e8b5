/** What uses each secret, again and again, while it is changed: page tokens, forms, URLs, endpoints, a key. */
import { setTimeout as pause } from 'node:timers/promises';
import type { DeveloperApi } from '../../../client/src/index.ts';
import { hashKey } from '../../../handlers/access/keys.ts';
import { ask } from '../../world/ask.ts';
import { postForm } from '../../world/disk-storage.ts';
import { TestTenant } from '../../world/tenant.ts';
import type { Scene } from '../scene.ts';
import { EVENTS_PATH } from './document-flow.ts';

const PAUSE_MS = 100;
const PAGE = { limit: 10 };
const HOOK = '/swap';
/** Events of the last moment before an endpoint existed may not come to it. */
const MARGIN_MS = 1_000;
const PDF = Buffer.from('%PDF-1.7\nrotated');
const WANTED = { filename: 'f.pdf', content_type: 'application/pdf', size_bytes: PDF.length } as const;

export class KeyUsers {
  readonly #scene: Scene;
  readonly #url: string;
  readonly #wrong: string[] = [];
  readonly #count = { pages: 0, files: 0, endpoints: 0 };
  #key = '';
  #formerKey = '';
  #heldToken = '';
  #heldForm: Parameters<typeof postForm>[0] | undefined;
  #subscribedMs = Number.POSITIVE_INFINITY;
  #lanes: Promise<void>[] = [];
  #walking: Promise<void> | undefined;
  #isEnding = false;

  /** @param url of what is before the processes */
  constructor(scene: Scene, url: string) {
    this.#scene = scene;
    this.#url = url;
  }

  async #newKey(): Promise<string> {
    const { world, company } = this.#scene;
    return new TestTenant(world.store, company.id, company.initiator.userId).key();
  }

  /** The client of the key that may be changed. */
  get #api(): DeveloperApi {
    return this.#scene.ledger.client(this.#key);
  }

  get #receiver() {
    return this.#scene.world.receiver;
  }

  async begin(): Promise<void> {
    this.#key = await this.#newKey();
    const client = async () => this.#scene.ledger.client(await this.#newKey());
    const [files, hooks] = [await client(), await client()];
    const walk = () => {
      this.#walking = this.#walk();
      return this.#walking;
    };
    const works = [walk, () => this.#file(files), () => this.#endpoint(hooks)];
    this.#lanes = works.map((work) => this.#lane(work));
  }

  async #lane(work: () => Promise<void>): Promise<void> {
    while (!this.#isEnding) {
      await work().catch((error: Error) => this.#wrong.push(error.message));
      await pause(PAUSE_MS);
    }
  }

  /** Reads all pages of a list, each from any process. */
  async #walk(): Promise<void> {
    for await (const _ of this.#api.employees.list(PAGE).pages()) this.#count.pages++;
  }

  /** Uploads a file with a form of one process, and confirms it at another. */
  async #file(api: DeveloperApi): Promise<void> {
    await api.files.upload(PDF);
    this.#count.files++;
  }

  /** Makes an endpoint, whose secret one process seals, and has others open it. */
  async #endpoint({ webhookEndpoints }: DeveloperApi): Promise<void> {
    const path = `/endpoint-${this.#count.endpoints++}`;
    const url = this.#receiver.url + path;
    const { secret, webhook_endpoint } = await webhookEndpoints.create({ url, event_types: ['employee.deleted'] });
    this.#receiver.secrets.set(path, secret);
    for (let time = 0; time < 4; time++) {
      const { status_code } = await webhookEndpoints.test(webhook_endpoint.id);
      if (status_code !== 204) this.#wrong.push(`a test event was not delivered: ${status_code}`);
    }
    await webhookEndpoints.delete(webhook_endpoint.id);
  }

  async holdToken(): Promise<void> {
    this.#heldToken = (await this.#api.employees.list(PAGE).page()).next_page_token;
  }

  /** @returns why it is refused; `''` if it is not */
  async useHeldToken(): Promise<string> {
    return this.#api.employees
      .list(PAGE)
      .page(this.#heldToken)
      .then(() => '', String);
  }

  async holdForm(): Promise<void> {
    this.#heldForm = (await this.#api.files.reserve(WANTED)).upload;
  }

  /** @returns the status */
  async useHeldForm(): Promise<number> {
    return this.#heldForm === undefined ? 0 : postForm(this.#heldForm, PDF);
  }

  async keyId(): Promise<string> {
    const { api_keys } = this.#scene.world.store;
    return (await api_keys.findOne({ key_hash: hashKey(this.#key) }))?._id ?? '';
  }

  /** Uses the key that the operator has made, and waits until what was begun with the former one has ended. */
  async changeKey(secret: string): Promise<void> {
    this.#formerKey = this.#key;
    this.#key = secret;
    await this.#walking?.catch(() => {});
  }

  /** @returns the status; it is no answer that counts */
  async useFormerKey(): Promise<number> {
    return (await ask('GET', `${this.#url}/developer/v1/api_key/_verify`, this.#formerKey)).status;
  }

  /** Makes the endpoint whose secret is to be changed. @returns what the blocks need */
  async subscribe(): Promise<Record<string, string>> {
    const KEY = await this.#newKey();
    const url = this.#receiver.url + HOOK;
    const { webhookEndpoints } = this.#scene.ledger.client(KEY);
    const made = await webhookEndpoints.create({ url, event_types: ['employee.changed'] });
    this.#receiver.secrets.set(HOOK, [made.secret]);
    this.#subscribedMs = Date.now() + MARGIN_MS;
    return { HOOK: url, KEY, OLD: made.webhook_endpoint.id };
  }

  acceptToo(secret: string): void {
    const { secrets } = this.#receiver;
    secrets.set(HOOK, [...[secrets.get(HOOK) ?? []].flat(), secret]);
  }

  acceptOnlyNewest(): void {
    const { secrets } = this.#receiver;
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
    const came = new Set(this.#receiver.at(HOOK).map(({ id }) => id));
    const due = this.#receiver
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
