/** An answer with the checks that nearly every test makes. A failed check is a violation by the target. */
import type { ErrorName } from '../generated/errors.ts';
import type { Answers } from '../generated/handlers.ts';
import type { OperationId } from '../generated/operations.ts';
import { answerComplaints, codeOf, complaints, expectedError } from './contract.ts';
import { type Exchange, headerOf, jsonOf } from './exchange.ts';
import type { Trial } from './trial.ts';
import { errorBody } from './validators.ts';

export class Answer {
  readonly trial: Trial;
  readonly exchange: Exchange;

  constructor(trial: Trial, exchange: Exchange) {
    this.trial = trial;
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
    return codeOf(this.exchange, this.trial.values);
  }

  get tookMs(): number {
    return this.exchange.receivedAtMs - this.exchange.sentAtMs;
  }

  header(name: string): string | undefined {
    return headerOf(this.exchange, name);
  }

  /** The answer in a few words. */
  get brief(): string {
    return `${this.status}${this.code === undefined ? '' : ` ${this.code}`}`;
  }

  /** The answer must be a 200 whose body fits the contract. @param because describes the request, for the message */
  ok<Id extends OperationId>(operationId: Id, because = ''): Answers[Id] {
    const trial: Trial = this.trial;
    trial.check(this.status === 200, `${because || operationId}: expected 200, got ${this.brief}`, this);
    const wrong = answerComplaints(operationId, this.json, trial.values);
    trial.check(
      wrong.length === 0,
      `${because || operationId}: the answer breaks the contract: ${wrong.join('; ')}`,
      this,
    );
    return this.json as Answers[Id];
  }

  /** The answer must be one of these errors, with its status, textual code and shape. */
  fails(names: ErrorName | readonly ErrorName[], because = ''): this {
    const trial: Trial = this.trial;
    const wanted = [names].flat().map((name) => expectedError(name, trial.values));
    const lead = because === '' ? '' : `${because}: `;
    trial.check(
      wanted.some(({ status, code }) => this.status === status && this.code === code),
      `${lead}expected ${wanted.map(({ status, code }) => `${status} ${code}`).join(' or ')}, got ${this.brief}`,
      this,
    );
    const wrong = complaints(errorBody, this.json, trial.values);
    trial.check(wrong.length === 0, `${lead}the error body breaks the contract: ${wrong.join('; ')}`, this);
    return this;
  }

  /**
   * The answer must be INVALID_ARGUMENT and name this field among its violations, if the target reports fields at all.
   */
  blames(field: string, because = ''): this {
    this.fails('INVALID_ARGUMENT', because);
    const details = (this.json as { details: { field_violations?: { field?: string }[] }[] }).details;
    const fields = details.flatMap((detail) => detail.field_violations ?? []).map((violation) => violation.field ?? '');
    this.trial.check(
      fields.length === 0 || fields.some((name) => name.includes(field)),
      `${because ? `${because}: ` : ''}the violation should name ${field}, it names ${fields.join(', ')}`,
      this,
    );
    return this;
  }
}
