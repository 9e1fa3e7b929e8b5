/** Why something at the other end of a connection is away, in words for an operator, by the code of an error. */

/** What is said of every wait that ended without an answer. */
export const LATE = 'did not answer in time';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ...same('closed the connection', [
    'ECONNRESET',
    'EPIPE',
    'ECONNABORTED',
    'ENOTCONN',
    'ENETRESET',
    'MongoNetworkError',
    'PoolClearedOnNetworkError',
  ]),
  ...same('its name was not found', ['ENOTFOUND', 'ENODATA']),
  ...same('the name server does not answer', ['EAI_AGAIN', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT']),
  ...same('cannot be reached by the network', ['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN']),
  ...same(LATE, [
    'ETIMEDOUT',
    'TimeoutError',
    'MongoNetworkTimeoutError',
    'MongoOperationTimeoutError',
    'MaxTimeMSExpired',
    'NetworkInterfaceExceededTimeLimit',
    'ExceededTimeLimit',
  ]),
  ...same('its certificate is not trusted', [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ]),
  ...same('its certificate is not valid now', ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']),
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ...same('does not speak TLS as this side does', ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']),
  ...same('authentication failed', ['AuthenticationFailed', 'InvalidAccessKeyId', 'SignatureDoesNotMatch']),
  ...same('the user may not do this', ['Unauthorized', 'AccessDenied', 'EACCES', 'EPERM', 'EROFS']),
  ...same('there is no primary', [
    'NotWritablePrimary',
    'NotPrimaryNoSecondaryOk',
    'NotPrimaryOrSecondary',
    'NotYetInitialized',
    'PrimarySteppedDown',
    'MongoServerSelectionError',
  ]),
  ...same('is shutting down', ['ShutdownInProgress', 'InterruptedAtShutdown', 'InterruptedDueToReplStateChange']),
  ...same('no majority has acknowledged a write', [
    'WriteConcernTimeout',
    'WriteConcernFailed',
    'UnsatisfiableWriteConcern',
  ]),
  ...same('no space is left', ['OutOfDiskSpace', 'ENOSPC', 'EDQUOT']),
  ...same('no connection is free', ['MongoWaitQueueTimeoutError', 'EMFILE', 'ENFILE']),
  EIO: 'the disk has failed',
};

function same(words: string, codes: readonly string[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, words]));
}

/** The reason in words with the code in brackets, or the code alone if there are no words for it. */
export function reasonOf(code: string): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  return words === undefined ? code : `${words} (${code})`;
}

/** The code of an error, of its cause, or the name of its class: never its message, which may quote what was sent. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, codeName, cause, name } = error as Error & { code?: unknown; codeName?: unknown };
  if (typeof codeName === 'string') return codeName;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? codeOf(cause) : name;
}
