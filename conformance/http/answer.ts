/** An answer with the checks that nearly every test makes. A failed check is a violation by the target. */
import type { Answers, ErrorName, OperationId } from '../../generated/contract.ts';
import type { ExchangeContext } from '../engine/exchange-context.ts';
import {
  answerComplaints,
  briefOf,
  codeOf,
  complaints,
  expectedError,
  isOneOf,
  isUnavailable,
} from '../judge/contract.ts';
import { errorBody } from '../judge/validators.ts';
import { type Exchange, headerOf, jsonOf } from './exchange.ts';

/** An answer to a rule's request. */
export class Answer {
  readonly context: ExchangeContext;
  readonly exchange: Exchange;

  constructor(context: ExchangeContext, exchange: Exchange) {
    this.context = context;
    this.exchange = exchange;
  }

  get status(): number {
    return this.exchange.status;
  }

  get text(): string {
    return this.exchange.body.toString('utf8');
  }

  get json(): unknown {
    return jsonOf(this.exchange);
  }

  /** The textual code of an error. */
  get code(): string | undefined {
    return codeOf(this.exchange, this.context.values);
  }

  get tookMs(): number {
    return this.exchange.receivedAtMs - this.exchange.sentAtMs;
  }

  /** Whether the contract says to send the request again later. */
  get isUnavailable(): boolean {
    return isUnavailable(this.exchange, this.context.values);
  }

  header(name: string): string | undefined {
    return headerOf(this.exchange, name);
  }

  /** The answer in a few words. */
  get brief(): string {
    return briefOf(this.exchange, this.context.values);
  }

  /** Whether a terminator may have refused it in its own form; that it was refused has been checked. */
  get mayBeInFront(): boolean {
    return this.exchange.inFront !== undefined;
  }

  /** The answer must be a 200 whose body fits the contract. @param because describes the request, for the message */
  ok<Id extends OperationId>(operationId: Id, because = ''): Answers[Id] {
    const context: ExchangeContext = this.context;
    context.check(this.status === 200, `${because || operationId}: expected 200, got ${this.brief}`, this);
    const wrong = answerComplaints(operationId, this.json, context.values);
    context.check(
      wrong.length === 0,
      `${because || operationId}: the answer breaks the contract: ${wrong.join('; ')}`,
      this,
    );
    return this.json as Answers[Id];
  }

  /** The answer must be one of these errors, with its status, textual code and shape. */
  fails(names: ErrorName | readonly ErrorName[], because = ''): this {
    if (this.mayBeInFront) return this;
    const context: ExchangeContext = this.context;
    const wanted = [names].flat().map((name) => expectedError(name, context.values));
    const lead = because === '' ? '' : `${because}: `;
    context.check(
      isOneOf(this.exchange, [names].flat(), context.values),
      `${lead}expected ${wanted.map(({ status, code }) => `${status} ${code}`).join(' or ')}, got ${this.brief}`,
      this,
    );
    const wrong = complaints(errorBody, this.json, context.values);
    context.check(wrong.length === 0, `${lead}the error body breaks the contract: ${wrong.join('; ')}`, this);
    return this;
  }

  /**
   * The answer must be INVALID_ARGUMENT, and its violations name each of these fields, or a part of it such as an entry
   * of a list, and nothing else.
   */
  blames(fields: string | readonly string[], because = ''): this {
    this.fails('INVALID_ARGUMENT', because);
    const wanted = [fields].flat();
    const named = this.violatedFields();
    this.context.check(
      wanted.every((field) => named.some((name) => isWithin(name, field))) &&
        named.every((name) => wanted.some((field) => isWithin(name, field))),
      `${because ? `${because}: ` : ''}the violations should name ${listed(wanted)}, and name ${listed(named)}`,
      this,
    );
    return this;
  }

  /** The fields that the violations of an error name, in their order. */
  violatedFields(): string[] {
    return this.#violations().map(({ field }) => field);
  }

  /** What the violations of an error say of a field; `""` if they do not name it. */
  violationOf(field: string): string {
    return this.#violations().find((one) => one.field === field)?.description ?? '';
  }

  #violations(): { field: string; description: string }[] {
    const { details } = this.json as { details: { field_violations?: { field: string; description: string }[] }[] };
    return details.flatMap((detail) => detail.field_violations ?? []);
  }
}

/** Whether a place of a body is a field, or within it. */
export const isWithin = (place: string, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`);

const listed = (fields: readonly string[]): string =>
  fields.length === 0 ? 'nothing' : fields.map((field) => (field === '' ? 'the whole body' : field)).join(', ');
