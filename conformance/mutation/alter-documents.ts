/** Ways to alter documents, which faults of several files share. */

import { operationOfAction } from '../rules/shared/document-calls.ts';
import { each, type Json, madeError, parse } from './alter.ts';
import type { Alter, Memory, ProxiedRequest } from './fault.ts';

/** The operations that move a document. */
export const ACTIONS = Object.values(operationOfAction);

/** Whether a request asks for one of them. */
export const isAction = ({ operation }: Pick<ProxiedRequest, 'operation'>) =>
  ACTIONS.some((action) => action === operation);

/** Changes each document of an answer. */
export const shown = (change: (document: Json, asked: ProxiedRequest, memory: Memory) => void): Alter =>
  each(['createDocument', 'listDocuments', 'getDocument', ...ACTIONS], change);

/** The request that reads the document on which an action is asked for. */
export const readingOf = (asked: ProxiedRequest): ProxiedRequest => ({
  ...asked,
  method: 'GET',
  target: asked.target.replace(/\/_\w+$/, ''),
  body: Buffer.alloc(0),
  headers: asked.headers.filter(([name]) => !/^content-/i.test(name)),
});

/** A creation that is refused uses its upload up. */
export const burnt: Alter = async (asked, forward, memory) => {
  const id = parse(asked.body)?.file_id;
  if (asked.operation !== 'createDocument' || !id) return forward(asked);
  if (memory.notes.has(id)) return madeError('FILE_ALREADY_LINKED');
  const answer = await forward(asked);
  if (answer.status !== 200) memory.notes.set(id, true);
  return answer;
};
