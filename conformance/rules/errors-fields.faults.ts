/** Faults that the rules of errors-fields.rules.ts must catch. */
import { acceptsReason, bodies, everything, type Json, madeError, parse, refusals } from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'err-unknown-field',
    rule: 'ERR-22',
    breaks: 'an unknown field of a body is overlooked',
    alter: acceptsReason('INVALID_ARGUMENT'),
  },
  {
    id: 'err-null-in-list-overlooked',
    rule: 'ERR-22',
    breaks: 'a null in a list is overlooked',
    alter: bodies(everything, (json) => {
      for (const [name, value] of Object.entries(json)) {
        if (Array.isArray(value)) json[name] = value.filter((item) => item !== null);
      }
    }),
  },
  {
    id: 'err-null-is-empty',
    rule: 'ERR-22',
    breaks: 'a null in a text is an empty text, and passes for one',
    alter: bodies('rejectDocument', (json) => {
      if (json.comment === null) json.comment = 'null';
    }),
  },
  {
    id: 'err-null-refused',
    rule: 'ERR-33',
    breaks: 'null is refused in an optional field',
    alter: async (asked, forward) => {
      const json = parse(asked.body);
      const name = Object.keys(json ?? {}).find((key) => json[key] === null);
      return name === undefined ? forward(asked) : madeError('INVALID_ARGUMENT', name);
    },
  },
  {
    id: 'err-deep-null-refused',
    rule: 'ERR-33',
    breaks: 'null is refused in an optional field deep in a body',
    alter: bodies('setDocumentRoute', (json) => {
      for (const step of json.steps ?? []) if (step?.rule === null) step.rule = 0;
    }),
  },
  {
    id: 'err-null-as-text',
    rule: 'ERR-33',
    breaks: 'null is kept as a text',
    alter: bodies('createDocument', (json) => {
      if (json.number === null) json.number = 'null';
    }),
  },
  {
    id: 'err-null-like-absent-in-key',
    rule: 'ERR-33',
    breaks: 'bodies with one Idempotency-Key are compared without their nulls',
    alter: bodies('createDocument', (json) => {
      for (const [name, value] of Object.entries(json)) if (value === null) delete json[name];
    }),
  },
  {
    id: 'err-unknown-deep',
    rule: 'ERR-22',
    breaks: 'an unknown field deep in a body is overlooked',
    alter: bodies('setDocumentRoute', (json) => {
      if (Array.isArray(json.steps))
        json.steps = json.steps.map(({ step_type, rule, participants, ...rest }: Json) => ({
          step_type,
          rule,
          participants:
            participants?.map?.(({ employee_id, key_type }: Json) => ({ employee_id, key_type })) ?? participants,
          ...(Object.keys(rest).length > 5 ? rest : {}),
        }));
    }),
  },
  {
    id: 'err-path-cut',
    rule: 'ERR-22',
    breaks: 'a field deep in a body is named without its path',
    alter: refusals('INVALID_ARGUMENT', (json) => {
      const named: Json[] = json.details.flatMap((detail: Json) => detail.field_violations ?? []);
      for (const one of named) one.field = one.field.replace(/^.*\./, '');
    }),
  },
];
