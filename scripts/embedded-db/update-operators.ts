import { compareValues, equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { sortValues } from './expressions-arrays.ts';
import { compileElementFilter } from './matcher.ts';
import { arithmetic, isNumeric, kindOf, makeDouble, makeInteger, toInteger, toNumber } from './numbers.ts';
import type { Place } from './update-paths.ts';
import { copyValue, type Doc, isDoc, type Maybe, type Numeric, typeName, type Value } from './values.ts';

/** What an operator does at a place; compiled together with its argument. */
type Apply = (doc: Doc, place: Place) => void;

export interface UpdateOperator {
  /** Whether missing documents on the way to the field are made. */
  readonly creates: boolean;
  readonly compile: (path: string, argument: Value) => Apply;
}

const describe = (doc: Doc): string => `{_id: ${String(doc._id)}}`;

function increment(name: '$inc' | '$mul'): UpdateOperator['compile'] {
  return (path, argument) => {
    if (!isNumeric(argument)) {
      const verb = name === '$inc' ? 'increment' : 'multiply';
      return fail(14, `Cannot ${verb} with non-numeric argument: {${path}: ${typeName(argument)}}`);
    }
    return (doc, place) => {
      const value = place.get();
      if (value === undefined) place.set(name === '$inc' ? argument : zeroLike(argument));
      else if (!isNumeric(value)) {
        fail(
          14,
          `Cannot apply ${name} to a value of non-numeric type. ${describe(doc)} has the field '${path}' of non-numeric type ${typeName(value)}`,
        );
      } else {
        const result = arithmetic(name === '$inc' ? 'add' : 'multiply', value, argument);
        place.set(
          result ?? fail(2, `Failed to apply ${name} operations to current value for document ${describe(doc)}`),
        );
      }
    };
  };
}

function zeroLike(value: Numeric): Numeric {
  switch (kindOf(value)) {
    case 'int':
      return 0;
    case 'long':
      return 0n;
    case 'double':
      return makeDouble(0);
    default:
      return arithmetic('multiply', value, 0) ?? 0;
  }
}

function extreme(sign: 1 | -1): UpdateOperator['compile'] {
  return (_, argument) => (_doc, place) => {
    const value = place.get();
    if (value === undefined || compareValues(argument, value) * sign > 0) place.set(copyValue(argument));
  };
}

function bit(path: string, argument: Value): Apply {
  if (!isDoc(argument) || Object.keys(argument).length === 0) {
    return fail(
      2,
      `The $bit modifier is not compatible with a ${typeName(argument)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  const steps = Object.entries(argument).map(([name, operand]) => {
    if (!['and', 'or', 'xor'].includes(name))
      fail(2, `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    return [
      name,
      integer(operand) ??
        fail(
          2,
          `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(operand)}' is not supported here`,
        ),
    ] as const;
  });
  const long = Object.values(argument).some((operand) => typeof operand === 'bigint');
  return (doc, place) => {
    const found = place.get();
    let value = found === undefined ? 0n : integer(found);
    if (value === undefined) {
      return fail(
        2,
        `Cannot apply $bit to a value of non-integral type. ${describe(doc)} has the field ${path} of non-integer type ${typeName(found)}`,
      );
    }
    for (const [name, operand] of steps)
      value = name === 'and' ? value & operand : name === 'or' ? value | operand : value ^ operand;
    place.set(makeInteger(value, long || typeof found === 'bigint' ? 'long' : 'int') ?? null);
  };
}

function integer(value: Maybe): bigint | undefined {
  if (!isNumeric(value)) return undefined;
  const kind = kindOf(value);
  return kind === 'int' || kind === 'long' ? toInteger(value) : undefined;
}

/** The array at a place; undefined if nothing is there yet. */
function arrayAt(place: Place, complain: (type: string) => never): Value[] | undefined {
  const value = place.get();
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : complain(typeName(value));
}

interface Push {
  readonly items: Value[];
  readonly position: number | undefined;
  readonly sort: Value | undefined;
  readonly slice: number | undefined;
}

function parsePush(argument: Value): Push {
  if (!isDoc(argument) || !('$each' in argument)) {
    return { items: [argument], position: undefined, sort: undefined, slice: undefined };
  }
  const { $each, $position, $sort, $slice, ...others } = argument;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) fail(2, `Unrecognized clause in $push: ${unknown}`);
  if (!Array.isArray($each))
    return fail(2, `The argument to $each in $push must be an array but it was of type: ${typeName($each)}`);
  if ($sort !== undefined) sortValues([], $sort);
  return { items: $each, position: whole('$position', $position), sort: $sort, slice: whole('$slice', $slice) };
}

function whole(name: string, value: Value | undefined): number | undefined {
  if (value === undefined) return undefined;
  const result = isNumeric(value) ? toInteger(value) : undefined;
  return result === undefined ? fail(2, `The value for ${name} must be an integer value`) : Number(result);
}

function push(path: string, argument: Value): Apply {
  const { items, position, sort, slice } = parsePush(argument);
  return (doc, place) => {
    const list = arrayAt(place, (type) =>
      fail(2, `The field '${path}' must be an array but is of type ${type} in document ${describe(doc)}`),
    );
    let result = [...(list ?? [])];
    result.splice(position ?? result.length, 0, ...items.map((item) => copyValue(item)));
    if (sort !== undefined) result = sortValues(result, sort);
    if (slice !== undefined) result = slice < 0 ? result.slice(slice) : result.slice(0, slice);
    place.set(result);
  };
}

function addToSet(path: string, argument: Value): Apply {
  let items = [argument];
  if (isDoc(argument) && '$each' in argument) {
    const { $each, ...others } = argument;
    if (Object.keys(others).length > 0)
      fail(2, `Found unexpected fields after $each in $addToSet: ${Object.keys(others)[0]}`);
    if (!Array.isArray($each))
      return fail(14, `The argument to $each in $addToSet must be an array but it was of type ${typeName($each)}`);
    items = $each;
  }
  return (_, place) => {
    const list = arrayAt(place, (type) =>
      fail(2, `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${type}`),
    );
    const result = [...(list ?? [])];
    for (const item of items) if (!result.some((each) => equalValues(each, item))) result.push(copyValue(item));
    place.set(result);
  };
}

function removeWhere(place: Place, test: (item: Value) => boolean): void {
  const list = arrayAt(place, () => fail(2, 'Cannot apply $pull to a non-array value'));
  if (list?.some(test)) place.set(list.filter((item) => !test(item)));
}

function pullAll(_: string, argument: Value): Apply {
  if (!Array.isArray(argument))
    return fail(2, `$pullAll requires an array argument but was given a ${typeName(argument)}`);
  return (_doc, place) => removeWhere(place, (item) => argument.some((each) => equalValues(each, item)));
}

function pop(path: string, argument: Value): Apply {
  const end = isNumeric(argument) ? toNumber(argument) : 0;
  if (end !== 1 && end !== -1)
    fail(9, `$pop expects 1 or -1, found: ${isNumeric(argument) ? end : typeName(argument)}`);
  return (_, place) => {
    const list = arrayAt(place, (type) => fail(14, `Path '${path}' contains an element of non-array type '${type}'`));
    if (list !== undefined && list.length > 0) place.set(end === 1 ? list.slice(0, -1) : list.slice(1));
  };
}

export const OPERATORS: ReadonlyMap<string, UpdateOperator> = new Map<string, UpdateOperator>([
  ['$set', { creates: true, compile: (_, argument) => (_doc, place) => place.set(copyValue(argument)) }],
  ['$unset', { creates: false, compile: () => (_doc, place) => place.remove() }],
  ['$inc', { creates: true, compile: increment('$inc') }],
  ['$mul', { creates: true, compile: increment('$mul') }],
  ['$min', { creates: true, compile: extreme(-1) }],
  ['$max', { creates: true, compile: extreme(1) }],
  ['$bit', { creates: true, compile: bit }],
  ['$push', { creates: true, compile: push }],
  ['$addToSet', { creates: true, compile: addToSet }],
  [
    '$pull',
    {
      creates: false,
      compile: (_, argument) => {
        const test = compileElementFilter(argument);
        return (_doc, place) => removeWhere(place, test);
      },
    },
  ],
  ['$pullAll', { creates: false, compile: pullAll }],
  ['$pop', { creates: false, compile: pop }],
]);
