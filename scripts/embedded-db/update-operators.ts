import { equalValues } from './compare.ts';
import { fail } from './errors.ts';
import { arithmetic, isNumeric } from './numbers.ts';
import type { Place } from './update-paths.ts';
import { copyValue, type Doc, isDoc, typeName, type Value } from './values.ts';

/** What an operator does at a place; compiled together with its argument. */
type Apply = (doc: Doc, place: Place) => void;

export interface UpdateOperator {
  /** Whether missing documents on the way to the field are made. */
  readonly creates: boolean;
  readonly compile: (path: string, argument: Value) => Apply;
}

const describe = (doc: Doc): string => `{_id: ${String(doc._id)}}`;

/** The array at a place; undefined if nothing is there yet. */
function arrayAt(place: Place, complain: (type: string) => never): Value[] | undefined {
  const value = place.get();
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : complain(typeName(value));
}

/** The values of `$push` and `$addToSet`: those of `$each`, or the argument itself. Other modifiers are not known here. */
function itemsOf(name: string, argument: Value): Value[] {
  if (!isDoc(argument) || !('$each' in argument)) return [argument];
  const { $each, ...others } = argument;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) fail(2, `Unrecognized clause in ${name}: ${unknown}`);
  if (!Array.isArray($each))
    return fail(2, `The argument to $each in ${name} must be an array but it was of type: ${typeName($each)}`);
  return $each;
}

function push(path: string, argument: Value): Apply {
  const items = itemsOf('$push', argument);
  return (doc, place) => {
    const list = arrayAt(place, (type) =>
      fail(2, `The field '${path}' must be an array but is of type ${type} in document ${describe(doc)}`),
    );
    place.set([...(list ?? []), ...items.map((item) => copyValue(item))]);
  };
}

function addToSet(path: string, argument: Value): Apply {
  const items = itemsOf('$addToSet', argument);
  return (_, place) => {
    const list = arrayAt(place, (type) =>
      fail(2, `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${type}`),
    );
    const result = [...(list ?? [])];
    for (const item of items) if (!result.some((each) => equalValues(each, item))) result.push(copyValue(item));
    place.set(result);
  };
}

function pull(_: string, argument: Value): Apply {
  if (isDoc(argument)) return fail(115, '$pull by a condition is not supported by this database, only of a value');
  const test = (item: Value): boolean => equalValues(item, argument);
  return (_doc, place) => {
    const list = arrayAt(place, () => fail(2, 'Cannot apply $pull to a non-array value'));
    if (list?.some(test)) place.set(list.filter((item) => !test(item)));
  };
}

function increment(path: string, argument: Value): Apply {
  if (!isNumeric(argument)) {
    return fail(14, `Cannot increment with non-numeric argument: {${path}: ${typeName(argument)}}`);
  }
  return (doc, place) => {
    const value = place.get();
    if (value === undefined) {
      place.set(argument);
      return;
    }
    if (!isNumeric(value)) {
      return fail(
        14,
        `Cannot apply $inc to a value of non-numeric type. ${describe(doc)} has the field '${path}' of non-numeric type ${typeName(value)}`,
      );
    }
    place.set(
      arithmetic('add', value, argument) ??
        fail(2, `Failed to apply $inc operations to current value for document ${describe(doc)}`),
    );
  };
}

const set: UpdateOperator = {
  creates: true,
  compile: (_, argument) => (_doc, place) => place.set(copyValue(argument)),
};

/** The update operators (manual: "Update Operators"). */
export const OPERATORS: ReadonlyMap<string, UpdateOperator> = new Map<string, UpdateOperator>([
  ['$set', set],
  ['$setOnInsert', set],
  ['$unset', { creates: false, compile: () => (_doc, place) => place.remove() }],
  ['$inc', { creates: true, compile: increment }],
  ['$push', { creates: true, compile: push }],
  ['$addToSet', { creates: true, compile: addToSet }],
  ['$pull', { creates: false, compile: pull }],
]);
