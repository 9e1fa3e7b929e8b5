/**
 * What the main process keeps for the rules about deliveries: the receiver, the created endpoints, and shared notes.
 */
import type { CallbackAsk, MadeEndpoint } from './delivery.ts';
import type { Receiver } from './receiver.ts';

export class CallbackState {
  readonly #receiver: Receiver;
  readonly #endpoints = new Map<string, MadeEndpoint>();
  readonly #notes = new Map<string, unknown>();

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  async answer(ask: CallbackAsk): Promise<unknown> {
    switch (ask.do) {
      case 'react':
        return this.#receiver.react(ask.route, ask.reactions, ask.containing);
      case 'received':
        return this.#receiver.deliveries.filter(
          ({ route, body }) =>
            (ask.route === undefined || route === ask.route) &&
            (ask.containing === undefined || Buffer.from(body, 'base64').includes(ask.containing)),
        );
      case 'mode':
        return this.#receiver.setMode(ask.mode);
      case 'made':
        this.#endpoints.set(ask.endpoint.id, ask.endpoint);
        return;
      case 'endpoints':
        return [...this.#endpoints.values()];
      case 'note':
        if (ask.value !== undefined) this.#notes.set(ask.name, ask.value);
        return this.#notes.get(ask.name);
    }
  }
}
