/** An answer with the checks that nearly every test makes. A failed check is a violation by the target. */
import type { Answers, ErrorName, OperationId } from '../../generated/contract.ts';
import type { ExchangeContext } from '../engine/exchange-context.ts';
import {
  answerFlaws,
  briefOf,
  codeOf,
  expectedError,
  type Flaw,
  flawsOf,
  isOneOf,
  isUnavailable,
  textsOf,
} from '../judge/contract.ts';
import type { Cause } from '../judge/outcome.ts';
import { errorBody } from '../judge/validators.ts';
import { type Exchange, headerOf, jsonOf } from './exchange.ts';
import { withHoles } from './holes.ts';

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

  /**
   * The answer must be a 200 whose body fits the contract. If it is another success or a part of the body is wrong, the
   * check fails, but goes on with the rest until it reads that part.
   * @param because describes the request, for the message
   */
  ok<Id extends OperationId>(operationId: Id, because = ''): Answers[Id] {
    const context: ExchangeContext = this.context;
    const lead = because || operationId;
    const status = `${lead}: expected 200, got ${this.brief}`;
    const isObject = typeof this.json === 'object' && this.json !== null && !Array.isArray(this.json);
    if (this.status !== 200) {
      const cause = this.#serverError ?? { what: `${operationId}: expected 200, got ${this.brief}` };
      context.check(this.status > 200 && this.status < 300 && isObject, status, this, cause);
      context.breaks(status, this, cause);
    }
    const flaws = answerFlaws(operationId, this.json, context.values);
    if (flaws.length === 0) return this.json as Answers[Id];
    const broken = (some: readonly Flaw[]) => {
      const came = textsOf(some);
      const cause = { what: `the answer of ${operationId} breaks the contract`, came };
      return [`${lead}: the answer breaks the contract: ${came.join('; ')}`, this, cause] as const;
    };
    context.check(isObject, ...broken(flaws));
    context.breaks(...broken(flaws));
    return withHoles(this.json as Answers[Id], flaws, (some) => context.fail(...broken(some)));
  }

  /**
   * The answer must be one of these errors, with its status, textual code and shape. If only its body is wrong, the check
   * fails, but goes on.
   */
  fails(names: ErrorName | readonly ErrorName[], because = ''): this {
    if (this.mayBeInFront) return this;
    const context: ExchangeContext = this.context;
    const wanted = [names].flat().map((name) => expectedError(name, context.values));
    const lead = because && `${because}: `;
    const expected = `expected ${wanted.map(({ status, code }) => `${status} ${code}`).join(' or ')}`;
    const said = `${lead}${expected}, got ${this.brief}`;
    if (!isOneOf(this.exchange, [names].flat(), context.values)) {
      const lacksCode = this.code === undefined && wanted.some(({ status }) => status === this.status);
      const cause = lacksCode ? { what: 'errors have no code' } : (this.#serverError ?? this.#insteadOf(expected));
      context.check(lacksCode, said, this, cause);
      context.breaks(said, this, cause);
    }
    const wrong = textsOf(flawsOf(errorBody, this.json, context.values));
    const cause = { what: 'the body of errors breaks the contract', came: wrong };
    if (wrong.length > 0) context.breaks(`${lead}the error body breaks the contract: ${wrong.join('; ')}`, this, cause);
    return this;
  }

  /** The cause if the target failed itself. */
  get #serverError(): Cause | undefined {
    const { operationId } = this.exchange;
    return this.status >= 500 && operationId ? { what: `${operationId} is answered ${this.brief}` } : undefined;
  }

  /** The cause if another answer came. A key that is not refused is one cause, whatever comes then. */
  #insteadOf(expected: string): Cause {
    if (/ 40[13] /.test(expected)) return { what: `${expected}, got something else`, came: [this.brief] };
    if (this.status < 300) return { what: `${expected}, got a success`, came: [this.brief] };
    return { what: `${expected}, got ${this.brief}` };
  }

  /**
   * The answer must be INVALID_ARGUMENT, and its violations name each of these fields, or a part of it such as an entry
   * of a list, and nothing else.
   */
  blames(fields: string | readonly string[], because = ''): this {
    this.fails('INVALID_ARGUMENT', because);
    if (this.code === undefined) return this;
    const wanted = [fields].flat();
    const named = this.violatedFields();
    this.context.check(
      wanted.every((field) => named.some((name) => isWithin(name, field))) &&
        named.every((name) => wanted.some((field) => isWithin(name, field))),
      `${because ? `${because}: ` : ''}the violations should name ${listed(wanted)}, and name ${listed(named)}`,
      this,
      otherViolations(named),
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
    const { details } = (this.json ?? {}) as {
      details?: { field_violations?: { field: string; description: string }[] }[];
    };
    return (details ?? []).flatMap((detail) => detail.field_violations ?? []);
  }
}

/** Whether a place of a body is a field, or within it. */
export const isWithin = (place: string, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`);

/** The cause if violations name these fields, and not the one that is wrong. */
export const otherViolations = (named: readonly string[]): Cause => ({
  what: `the violations name ${named.length === 0 ? 'nothing' : 'another field than the one that is wrong'}`,
});

const listed = (fields: readonly string[]): string =>
  fields.length === 0 ? 'nothing' : fields.map((field) => (field === '' ? 'the whole body' : field)).join(', ');
