/** What a scan of a JSON text reports (`json-scan.ts`). */

/** What is wrong with a text. */
export class ScanError extends Error {
  readonly isTooDeep: boolean;
  /** Offset of the first byte that is wrong; for a string or a number, of its first byte. */
  offset = 0;
  /** Its line, from 1, and the offset at which the line begins. */
  line = 1;
  lineStart = 0;

  constructor(isTooDeep: boolean) {
    super(isTooDeep ? 'nested too deep' : 'not JSON');
    this.isTooDeep = isTooDeep;
  }
}

/** A member of the outermost object, as byte offsets into the text; an end is the offset after the last byte. */
export interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
  /** For an array whose elements were asked for: start and end of each of the first `MAX_ELEMENTS`, in turn. */
  readonly elements: readonly number[] | undefined;
}

/** Where a value stands: names of members without escapes, and places in arrays. */
export type JsonPath = readonly (string | number)[];

/** What a scan reports, in the order of the text. An end is the offset after the last byte. */
export interface ScanEvents {
  /** For each member of the outermost object; never if the value is not an object. */
  readonly onMember?: (member: Member) => void;
  /** Whether a member that is an array is to be reported with its elements; by default not, since that takes memory. */
  readonly takesElements?: (keyStart: number, keyEnd: number) => boolean;
  /** For each array and object that is larger than `PORTION_BYTES`. */
  readonly onLarge?: (start: number, end: number) => void;
  /** For each number. @param path makes its path; costs time, so ask only where it is needed */
  readonly onNumber?: (start: number, end: number, path: () => JsonPath) => void;
}
