import { asObject, asString, type Contract, entriesOf, isObject, type Json, type JsonObject } from './read.ts';

/** What is wrong, where, and what to do. The place is the path of keys from the root of the document. */
export interface Finding {
  place: readonly (string | number)[];
  message: string;
}

/** A house rule checks the whole document and reports every place that breaks it. */
export type Rule = (contract: Contract) => Finding[];

/** An operation or an event, and its place in the document. */
export interface FoundOperation {
  place: string[];
  id: string;
  path: string;
  source: JsonObject;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** The operations of the interface. */
export function routed(contract: Contract): FoundOperation[] {
  return entriesOf(contract.paths).flatMap(([path, item]) => methodsOf(['paths', path], path, item));
}

/** The events that the service sends. */
export function events(contract: Contract): FoundOperation[] {
  return entriesOf(contract.webhooks).flatMap(([name, item]) => methodsOf(['webhooks', name], name, item));
}

function methodsOf(place: string[], path: string, item: Json): FoundOperation[] {
  return entriesOf(item)
    .filter(([method, source]) => METHODS.includes(method) && isObject(source))
    .map(([method, source]) => ({
      place: [...place, method],
      id: asString(asObject(source).operationId),
      path,
      source: asObject(source),
    }));
}

/** The keys of a JSON pointer (RFC 6901). */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
