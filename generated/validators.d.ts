// Made from openapi.yaml by `npm run generate`; never edited by hand. Types of validators.js.

import type { OperationId, OperationTable } from './contract.ts';

/** One violation. It holds names and limits of the contract and names of fields, never a value that was sent. */
export interface ValidationError {
  /** JSON pointer to what is wrong; '' is the whole. Of parameters it begins with /path, /query or /header. */
  instancePath: string;
  /** The keyword that was violated: required, additionalProperties, type, format, maxLength, enum, … */
  keyword: string;
  /** What the keyword demands: `{missingProperty}`, `{additionalProperty}`, `{type}`, `{format}`, `{limit}`, `{allowedValues}`, … */
  params: Record<string, unknown>;
  /** Ajv's words, for answers only. */
  message?: string;
}

declare const walked: unique symbol;

/** What a caller sent, after it was gone through once: then nothing that recurses over it takes long. */
export interface WalkedValue {
  readonly [walked]: true;
}

/**
 * True where the value is valid; else `errors` holds what is wrong until the next call. Requests report up to 100 violations, answers all.
 * Parameters are one object `{path: {…}, query: {…}, header: {…}}`, already parsed to numbers, booleans and arrays; headers have lower-case names.
 */
export type Validate<Value = unknown> = ((value: Value) => boolean) & { errors?: ValidationError[] | null };

export declare const validators: {
  readonly [Id in OperationId]: {
    readonly parameters: Validate<WalkedValue>;
    readonly body: OperationTable[Id]['body'] extends 'none' ? null : Validate<WalkedValue>;
    readonly answer: Validate;
  };
};

/** Judges the body of an error answer. */
export declare const errorBody: Validate;

/** Whether the text is a day of the calendar and of the years 1 to 9999 (D-2), as YYYY-MM-DD. */
export declare const isDay: (text: string) => boolean;

/** The same of numbers. Month and day count from 1. */
export declare const isCalendarDay: (year: number, month: number, day: number) => boolean;

/** Whether an instant, in milliseconds since the epoch, is of the years 1 to 9999 in UTC (D-2). */
export declare const isShownInstant: (ms: number) => boolean;

/**
 * What an RFC 3339 date-time says: milliseconds since the epoch, and whether there are finer digits that are not zero; null
 * if it is no real instant, has more than nine fraction digits, or is of a year outside 1 to 9999 in UTC.
 */
export declare const instantOf: (text: string) => { readonly ms: number; readonly isFiner: boolean } | null;
