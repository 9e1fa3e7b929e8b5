/** Refusals of the disk storage's listener, with the codes of S3, so that clients see the same codes with both. */

const STATUS = {
  AccessDenied: 403,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncorrectNumberOfFilesInPostRequest: 400,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidRange: 416,
  MalformedPOSTRequest: 400,
  MaxPostPreDataLengthExceeded: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchKey: 404,
  NoSuchVersion: 404,
  RequestIsNotMultiPartContent: 400,
  InvalidURI: 400,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
} as const;

type RefusalCode = keyof typeof STATUS;

/** A refused request. The message is for the client and quotes nothing from the request. */
export class StorageRefusal extends Error {
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'StorageRefusal';
    this.code = code;
    this.headers = headers;
  }

  get httpStatus(): number {
    return STATUS[this.code];
  }
}

/** Ends the request with an error. */
export function refuse(code: RefusalCode, message: string, headers?: Readonly<Record<string, string>>): never {
  throw new StorageRefusal(code, message, headers);
}

/** The error as S3 writes it. Codes and messages are ours, so nothing needs escaping. */
export function refusalXml({ code, message }: StorageRefusal, requestId: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${requestId}</RequestId></Error>`;
}
