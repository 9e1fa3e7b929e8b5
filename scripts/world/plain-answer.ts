import { JsonText } from '../../handlers/answers/json-text.ts';

/** The answer of a handler as an object, also if it is written already. */
export function plainAnswer<Answer>(answer: Answer | JsonText<Answer>): Answer {
  return answer instanceof JsonText ? JSON.parse(answer.bytes.toString()) : answer;
}
