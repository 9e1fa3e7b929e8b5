import type { Handler } from '../http/handler.ts';

/** Reaching the handler is the proof: the key passed every gate. */
export const verifyApiKey: Handler<'verifyApiKey'> = async () => ({});
