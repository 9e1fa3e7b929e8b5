import { expect, test } from '@jest/globals';
import { mediaTypeOf } from './body.ts';

test.each([
  '',
  'json',
  '/json',
  'application/',
  ' application/json',
  'application /json',
  'application/json charset=utf-8',
  'application/json;charset = utf-8',
  'application/json;charset= utf-8',
  'application/json;charset',
  'application/json;charset=',
  'application/json;=utf-8',
  'application/json;charset="utf-8',
  'application/json;charset="utf-8"x',
  'application/json;charset=utf-8,text/plain',
  'application/json;a="\u0001"',
])('%j is malformed', (text) => expect(mediaTypeOf(text)).toBeUndefined());
