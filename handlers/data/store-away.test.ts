/** Which errors say that the database is away. */
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { isStoreAway } from './store-away.ts';

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

/** A class of the driver that it does not export. */
const require = createRequire(import.meta.url);
const { WriteConcernError } = require('mongodb/lib/bulk/common.js');

/** Features that are not used: encryption, other ways to log in, files in the database, change streams. */
const UNUSED = /Kerberos|AWS|OIDC|Azure|GCP|Crypt|ChangeStream|GridFS|ClientBulkWrite(Cursor|Execution)/;

/** Every other error class of the driver, by whether it means that the store is away. */
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
    'PoolClosedError',
    'PoolClearedError',
    'PoolClearedOnNetworkError',
    'WaitQueueTimeoutError',
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
  const found = new Map<string, ErrorClass>();
  for (const file of ['index', 'cmap/errors']) {
    for (const [name, value] of Object.entries<ErrorClass>(require(`mongodb/lib/${file}.js`))) {
      const isKnown = value === MongoError || value?.prototype instanceof MongoError;
      if (isKnown && !UNUSED.test(name)) found.set(name, value);
    }
  }
  expect([...found.keys()].toSorted()).toEqual([...AWAY.true, ...AWAY.false].toSorted());
  const isAway = ([, kind]: [string, ErrorClass]) => isStoreAway(Object.create(kind.prototype, { errorLabelSet }));
  expect([...found].filter(isAway).map(([name]) => name)).toEqual(
    [...found.keys()].filter((name) => AWAY.true.includes(name)),
  );
});

const errorLabelSet = { value: new Set() };

test('every error code that the driver names is sorted into away or not away', () => {
  const { MONGODB_ERROR_CODES: codes } = require('mongodb/lib/error.js');
  const wrong = Object.entries<number>(codes).filter(([, code]) => !isStoreAway(new MongoServerError({ code })));
  // A missing collection, a command that a standalone server does not have, an undefined write concern, and an error of
  // change streams only.
  expect(wrong.map(([name]) => name).toSorted()).toEqual([
    'IllegalOperation',
    'NamespaceNotFound',
    'RetryChangeStream',
    'UnknownReplWriteConcern',
  ]);
});

describe('an error that ends a bulk write', () => {
  const wrapped = (error: object) => new MongoBulkWriteError(error as never, {} as never);
  test.each<[what: string, error: object, isAway: boolean]>([
    ['a connection that is lost', new MongoNetworkError(''), true],
    ['a server that is not found', new MongoServerSelectionError('', {} as never), true],
    ['a lost connection in the words of the system', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), true],
    ['a write concern that is not met', new WriteConcernError({ code: 64, errmsg: '' }), true],
    ['no primary', { message: '', code: 10107 }, true],
    ['a duplicate key', { message: '', code: 11000 }, false],
    ['a wrong argument', new MongoInvalidArgumentError(''), false],
  ])('%s', (_what, error, isAway) => expect(isStoreAway(wrapped(error))).toBe(isAway));
});
