/** Which errors say that the database is away. */
import { describe, expect, test } from '@jest/globals';
import * as driver from 'mongodb';
import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { isStoreAway } from './database-unavailable.ts';

test.each([
  ['a killed cursor', new MongoServerError({ code: 237, message: '' }), true],
  ['a replica set that is not initialised yet', new MongoServerError({ code: 94, message: '' }), true],
  ['a cluster that has no keys yet', new MongoServerError({ code: 211, message: '' }), true],
  ['a snapshot that is gone', new MongoServerError({ code: 239, message: '' }), true],
  ['no space', new MongoServerError({ code: 14031, message: '' }), true],
  [
    'what a repeat may heal',
    new MongoServerError({ code: 1, message: '', errorLabels: ['RetryableWriteError'] }),
    true,
  ],
  ['a server that is overloaded', new MongoServerError({ code: 1, errorLabels: ['SystemOverloadedError'] }), true],
  ['a reset in the words of the system', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), true],
  ['a name that is not found', Object.assign(new Error('querySrv'), { code: 'ENOTFOUND' }), true],
  ['a full disk', Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }), false],
  ['a duplicate key', new MongoServerError({ code: 11000, message: '' }), false],
  ['a wrong command', new MongoServerError({ code: 9, message: '' }), false],
  ['a fault of ours', new TypeError(''), false],
])('%s: is the store away?', (_what, error, expected) => expect(isStoreAway(error)).toBe(expected));

/** Features that are not used: encryption, other ways to log in, files in the database, change streams. */
const UNUSED = /Kerberos|AWS|OIDC|Azure|GCP|Crypt|ChangeStream|GridFS|ClientBulkWrite(Cursor|Execution)/;

/** Every other error class that the driver exports, by whether it means that the store is away. */
const AWAY = {
  true: [
    'MongoError',
    'MongoDriverError',
    'MongoRuntimeError',
    'MongoSystemError',
    'MongoServerSelectionError',
    'MongoNetworkError',
    'MongoNetworkTimeoutError',
    'MongoOperationTimeoutError',
    'MongoStalePrimaryError',
    'MongoNotConnectedError',
    'MongoTopologyClosedError',
    'MongoClientClosedError',
    'MongoServerClosedError',
    'MongoExpiredSessionError',
    'MongoUnexpectedServerResponseError',
    'MongoParseError',
    'MongoDecompressionError',
  ],
  false: [
    'MongoAPIError',
    'MongoInvalidArgumentError',
    'MongoCompatibilityError',
    'MongoTransactionError',
    'MongoMissingCredentialsError',
    'MongoMissingDependencyError',
    'MongoBatchReExecutionError',
    'MongoCursorInUseError',
    'MongoCursorExhaustedError',
    'MongoTailableCursorError',
    // It depends on the code.
    'MongoServerError',
    'MongoWriteConcernError',
    'MongoBulkWriteError',
    'MongoClientBulkWriteError',
  ],
};

type ErrorClass = (abstract new (...args: never[]) => Error) & { prototype: Error };

test('every error class of the driver is sorted into away or not away', () => {
  const found = Object.entries(driver as unknown as Readonly<Record<string, ErrorClass>>).filter(
    ([name, value]) => (value === MongoError || value?.prototype instanceof MongoError) && !UNUSED.test(name),
  );
  const names = found.map(([name]) => name);
  expect(names.toSorted()).toEqual([...AWAY.true, ...AWAY.false].toSorted());
  const away = found.filter(([, kind]) => isStoreAway(Object.create(kind.prototype, { errorLabelSet })));
  expect(away.map(([name]) => name)).toEqual(names.filter((name) => AWAY.true.includes(name)));
});

const errorLabelSet = { value: new Set() };

/**
 * Codes of MongoDB (error_codes.yml) by which drivers know a server that is away, or not ready, or the wrong one:
 * unreachable, not found, no login, cursor gone, time limit, shutting down, no primary, chunk moved …
 */
test.each([
  6, 7, 18, 43, 50, 63, 64, 89, 91, 100, 133, 134, 150, 189, 262, 391, 9001, 10058, 10107, 11600, 11602, 13388, 13435,
  13436,
])('the code %i of a server means that the store is away', (code) => {
  expect(isStoreAway(new MongoServerError({ code }))).toBe(true);
});

describe('an error that ends a bulk write', () => {
  const wrapped = (error: object) => new MongoBulkWriteError(error as never, {} as never);
  test.each<[what: string, error: object, isAway: boolean]>([
    ['a connection that is lost', new MongoNetworkError(''), true],
    ['a server that is not found', new MongoServerSelectionError('', {} as never), true],
    ['a lost connection in the words of the system', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), true],
    ['a write concern that is not met', { message: '', code: 64 }, true],
    ['no primary', { message: '', code: 10107 }, true],
    ['a duplicate key', { message: '', code: 11000 }, false],
    ['a wrong argument', new MongoInvalidArgumentError(''), false],
  ])('%s', (_what, error, isAway) => expect(isStoreAway(wrapped(error))).toBe(isAway));
});
