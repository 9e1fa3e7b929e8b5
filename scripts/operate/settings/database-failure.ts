/** What errors of the database mean for the person who ran a command. */
import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerSelectionError } from 'mongodb';
import { EXIT, Failure } from '../../../conformance/command-line.ts';

/** Whether the connection failed, rather than the request. */
export function isOutage(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) return isOutage(error.errorResponse);
  return error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
}

/** An error of the database as a sentence for a person; any other error as it is. */
export function databaseFailure(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  if (!isOutage(error)) return new Failure(EXIT.refused, `The database refused: ${error.message}`);
  const message = `The database went away: ${error.message}. Repeat the command when it runs again.`;
  return new Failure(EXIT.unreachable, message);
}
