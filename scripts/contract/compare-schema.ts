import { asArray, asObject, asString, type Contract, entriesOf, isObject, type Json, type JsonObject } from './read.ts';
import { ALL_TYPES, alternatives, mayBeObject, typesOf, valuesOf } from './schema-shape.ts';

/** A difference that would break clients of the old contract. */
export interface Break {
  /** The operation or event, and the field in it. */
  place: string;
  what: string;
  why: string;
  remedy: string;
}

/** Who sends the described data: the client sends requests, the service sends answers and events. */
export type Direction = 'request' | 'answer';

const REFUSED = 'A request that was accepted is now refused.';
const UNPREPARED = 'A client that was built on the old promise receives what the old contract ruled out.';
const MISSING = 'A client that reads it finds nothing.';

/** `UPPER`: limits where a larger value allows more. `LOWER`: limits where a smaller value allows more. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Conditions that are compared only as a whole: every change of them counts as a break. */
const OPAQUE = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
];

interface Pair {
  oldContract: Contract;
  newContract: Contract;
  direction: Direction;
  /** Pairs of references whose comparison is already under way, because schemas may contain themselves. */
  open: ReadonlySet<string>;
}

/** Compares what a schema allowed with what it allows now, and reports every break (D-32). */
export function compareSchemas(
  contracts: { oldContract: Contract; newContract: Contract },
  direction: Direction,
  place: string,
  before: Json | undefined,
  after: Json | undefined,
): Break[] {
  return compare({ ...contracts, direction, open: new Set() }, place, asObject(before), asObject(after));
}

function compare(pair: Pair, place: string, rawBefore: JsonObject, rawAfter: JsonObject): Break[] {
  const key = `${asString(rawBefore.$ref)}|${asString(rawAfter.$ref)}`;
  if (key.includes('#') && pair.open.has(key)) return [];
  const inner: Pair = { ...pair, open: new Set([...pair.open, key]) };
  const before = alternatives(pair.oldContract, rawBefore);
  const after = alternatives(pair.newContract, rawAfter);
  const [onlyBefore, onlyAfter] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && onlyBefore !== undefined && onlyAfter !== undefined) {
    return comparePlain(inner, place, onlyBefore, onlyAfter);
  }
  return compareAlternatives(inner, place, before, after);
}

/**
 * Requests: each old alternative is still accepted. Answers: each new one was already promised, and no old one is gone.
 */
function compareAlternatives(pair: Pair, place: string, before: JsonObject[], after: JsonObject[]): Break[] {
  const covered = (one: JsonObject, others: JsonObject[], oneIsOld: boolean): boolean =>
    others.some((other) => comparePlain(pair, place, oneIsOld ? one : other, oneIsOld ? other : one).length === 0);
  if (pair.direction === 'request') {
    return before
      .filter((old) => !covered(old, after, true))
      .map((old) =>
        finding(place, `The alternative ${outline(old)} is no longer taken.`, REFUSED, 'Keep it beside the new ones.'),
      );
  }
  const added = after
    .filter((now) => !covered(now, before, false))
    .map((now) => finding(place, `The alternative ${outline(now)} is new.`, UNPREPARED, 'Send it in a new field.'));
  const gone = before
    .filter((old) => !after.some((now) => sameShape(pair, old, now)))
    .filter((old) => !covered(old, after, true))
    .map((old) => finding(place, `The alternative ${outline(old)} is gone.`, MISSING, 'Keep it.'));
  return [...added, ...gone];
}

function sameShape(pair: Pair, old: JsonObject, now: JsonObject): boolean {
  return typesOf(old).join() === typesOf(now).join() && comparePlain(pair, '', old, now).length === 0;
}

function comparePlain(pair: Pair, place: string, before: JsonObject, after: JsonObject): Break[] {
  return [
    ...compareTypes(pair, place, before, after),
    ...compareValues(pair, place, before, after),
    ...compareLimits(pair, place, before, after),
    ...compareWords(pair, place, before, after),
    ...compareProperties(pair, place, before, after),
    ...compareItems(pair, place, before, after),
  ];
}

function compareTypes({ direction }: Pair, place: string, before: JsonObject, after: JsonObject): Break[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  const extra =
    direction === 'request' ? old.filter((type) => !now.includes(type)) : now.filter((type) => !old.includes(type));
  if (extra.length === 0) return [];
  const what = `The type went from ${typeName(old)} to ${typeName(now)}.`;
  return [
    finding(
      place,
      what,
      direction === 'request' ? REFUSED : UNPREPARED,
      `Keep the type ${typeName(old)}, and offer the new one as a field of its own.`,
    ),
  ];
}

function compareValues({ direction }: Pair, place: string, before: JsonObject, after: JsonObject): Break[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined && now === undefined) return [];
  if (direction === 'request') {
    if (now === undefined) return [];
    if (old === undefined) {
      return [finding(place, `Only ${list(now)} are taken now; any value was.`, REFUSED, 'Take any value.')];
    }
    return gone(place, old, now, REFUSED);
  }
  if (old === undefined) return [];
  if (now === undefined) {
    return [
      finding(
        place,
        `Any value can come now; only ${list(old)} could.`,
        UNPREPARED,
        `Keep the list. Values may be added to it.`,
      ),
    ];
  }
  return gone(place, old, now, 'A client that waits for the value waits for ever.');
}

function gone(place: string, old: Json[], now: Json[], why: string): Break[] {
  const values = new Set(now.map((value) => JSON.stringify(value)));
  const removed = old.filter((value) => !values.has(JSON.stringify(value)));
  if (removed.length === 0) return [];
  return [finding(place, `The value ${list(removed)} is gone.`, why, 'Keep it; new values may stand beside it.')];
}

function compareLimits({ direction }: Pair, place: string, before: JsonObject, after: JsonObject): Break[] {
  const found: Break[] = [];
  for (const [names, sign] of [
    [UPPER, 1],
    [LOWER, -1],
  ] as const) {
    for (const name of names) {
      const none = sign * Number.POSITIVE_INFINITY;
      const implied = name.startsWith('min') && name !== 'minimum' ? 0 : none;
      const old = typeof before[name] === 'number' ? before[name] : implied;
      const now = typeof after[name] === 'number' ? after[name] : implied;
      const looser = (now - old) * sign > 0;
      const tighter = (now - old) * sign < 0;
      if (direction === 'request' ? !tighter : !looser) continue;
      found.push(
        finding(
          place,
          `${name} went from ${limitName(before[name])} to ${limitName(after[name])}.`,
          direction === 'request' ? REFUSED : UNPREPARED,
          `Keep ${name} at ${limitName(before[name])}.`,
        ),
      );
    }
  }
  return found;
}

/** Keywords with a single value: format, pattern, the default, and conditions that are compared as a whole. */
function compareWords({ direction }: Pair, place: string, before: JsonObject, after: JsonObject): Break[] {
  const found: Break[] = [];
  const changed = (name: string): boolean =>
    JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null);
  for (const name of ['format', 'pattern', 'multipleOf', 'uniqueItems']) {
    if (!changed(name)) continue;
    // If a request demands less, or an answer promises more, no client is affected.
    if ((direction === 'request' ? after[name] : before[name]) === undefined) continue;
    const what = `${name} went from ${valueName(before[name])} to ${valueName(after[name])}.`;
    found.push(finding(place, what, direction === 'request' ? REFUSED : UNPREPARED, `Keep ${name}.`));
  }
  if (direction === 'request' && before.default !== undefined && changed('default')) {
    const what = `The default went from ${valueName(before.default)} to ${valueName(after.default)}.`;
    found.push(
      finding(place, what, 'A request that leaves the field out now means something else.', 'Keep the default.'),
    );
  }
  if (direction === 'answer' && before['x-personal-data'] !== undefined && changed('x-personal-data')) {
    const what = `The key in redacted_fields went from ${valueName(before['x-personal-data'])} to ${valueName(after['x-personal-data'])}.`;
    found.push(
      finding(place, what, 'A client that looks for the key takes a hidden field for an empty one.', 'Keep the key.'),
    );
  }
  for (const name of OPAQUE) {
    if (!changed(name)) continue;
    if ((direction === 'request' ? after[name] : before[name]) === undefined) continue;
    found.push(
      finding(
        place,
        `The condition "${name}" changed.`,
        direction === 'request' ? REFUSED : UNPREPARED,
        'Keep it, or show that nothing is tightened and keep this release.',
      ),
    );
  }
  return found;
}

function compareProperties(pair: Pair, place: string, before: JsonObject, after: JsonObject): Break[] {
  const found: Break[] = [];
  const { direction } = pair;
  const [old, now] = [asObject(before.properties), asObject(after.properties)];
  const [oldRequired, nowRequired] = [asArray(before.required).map(asString), asArray(after.required).map(asString)];
  for (const [name, schema] of entriesOf(old)) {
    const own = join(place, name);
    if (now[name] !== undefined) {
      found.push(...compare(pair, own, asObject(schema), asObject(now[name])));
    } else if (direction === 'answer') {
      found.push(finding(own, 'The field is gone.', MISSING, 'Keep it. Mark it deprecated if it is to go.'));
    } else if (after.additionalProperties === false) {
      found.push(finding(own, 'The field is no longer taken.', REFUSED, 'Keep it, even if it is ignored.'));
    }
  }
  if (direction === 'request') {
    for (const name of nowRequired.filter((each) => !oldRequired.includes(each))) {
      found.push(
        finding(join(place, name), 'The field became required.', REFUSED, 'Make it optional, with a default.'),
      );
    }
    if (before.additionalProperties !== false && after.additionalProperties === false && mayBeObject(before)) {
      found.push(finding(place, 'Unknown fields are refused now.', REFUSED, 'Ignore them, as before.'));
    }
  } else {
    for (const name of oldRequired.filter((each) => !nowRequired.includes(each) && now[each] !== undefined)) {
      found.push(
        finding(join(place, name), 'The field was always there and may now be absent.', MISSING, 'Keep it required.'),
      );
    }
  }
  if (isObject(before.additionalProperties) && isObject(after.additionalProperties)) {
    found.push(...compare(pair, join(place, '*'), before.additionalProperties, after.additionalProperties));
  } else if (
    direction === 'request' &&
    isObject(after.additionalProperties) &&
    before.additionalProperties !== false &&
    mayBeObject(before)
  ) {
    found.push(...compare(pair, join(place, '*'), {}, after.additionalProperties));
  }
  return found;
}

function compareItems(pair: Pair, place: string, before: JsonObject, after: JsonObject): Break[] {
  if (!typesOf(before).includes('array')) return [];
  if (before.items === undefined && after.items === undefined) return [];
  return compare(pair, `${place}[]`, asObject(before.items), asObject(after.items));
}

/** Makes a break. */
export function finding(place: string, what: string, why: string, remedy: string): Break {
  return { place: place.trim(), what, why, remedy };
}

/** The place of a field, given the place around it. */
function join(place: string, name: string): string {
  return place.endsWith(' ') || place === '' ? `${place}${name}` : `${place}.${name}`;
}

function list(values: readonly Json[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function typeName(types: readonly string[]): string {
  if (types.length === ALL_TYPES.length) return 'anything';
  return types.filter((type) => type !== 'integer' || !types.includes('number')).join(' or ');
}

function limitName(value: Json | undefined): string {
  return value === undefined ? 'none' : String(value);
}

function valueName(value: Json | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

function outline(schema: JsonObject): string {
  const { type, format, const: only, enum: values } = schema;
  return JSON.stringify({ type, format, const: only, enum: values });
}
