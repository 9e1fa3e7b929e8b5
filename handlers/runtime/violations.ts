/** What the generated validators say, as the field violations of D-4. */
import type { ValidationError } from '../../generated/validators.js';
import { failFields, type Violation } from './errors.ts';

/** `/body/steps/0/step_type` → `steps[0].step_type`; the part of the request that it is in is left out. */
function fieldOf(instancePath: string, child?: string): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (child !== undefined) parts.push(child);
  return parts.reduce(
    (field, part) => (/^\d+$/.test(part) ? `${field}[${part}]` : field ? `${field}.${part}` : part),
    '',
  );
}

function describe({ keyword, params, message }: ValidationError): string {
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a field of this request';
    case 'required':
      return 'is required';
    case 'enum':
      return 'is not one of the documented values';
    case 'format':
      return `is not a valid ${String(params.format)}`;
    case 'pattern':
      return 'does not have the documented form';
    default:
      return message ?? 'is not valid';
  }
}

function childOf({ params }: ValidationError): string | undefined {
  const child = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof child === 'string' ? child : undefined;
}

/**
 * Ends the request with INVALID_ARGUMENT naming each field that a validator refused.
 * @param root how many leading parts of a path name the place in the request (`path`, `query`) rather than the field
 */
export function failValidation(errors: readonly ValidationError[] | null | undefined, root: 0 | 1): never {
  const seen = new Map<string, Violation>();
  for (const error of errors ?? []) {
    const path = root === 1 ? error.instancePath.replace(/^\/[^/]*/, '') : error.instancePath;
    const field = fieldOf(path, childOf(error)) || 'body';
    if (!seen.has(field)) seen.set(field, { field, description: describe(error) });
  }
  return failFields([...seen.values()]);
}
