import { expect, test } from '@jest/globals';
import { mediaTypeOf } from './body.ts';

test.each([
  ['application/json', []],
  ['Application/JSON;charset=UTF-8', [['charset', 'UTF-8']]],
  ['application/json \t;\t CharSet="utf\\-8"', [['charset', 'utf-8']]],
  ['application/json;;; ;a=1; ;', [['a', '1']]],
  [
    'application/json;a="x;\\"y, \té\\\\";b=c',
    [
      ['a', 'x;"y, \té\\'],
      ['b', 'c'],
    ],
  ],
  ['application/json;a=""', [['a', '']]],
])('%j is understood', (text, parameters) => {
  expect(mediaTypeOf(text)).toEqual({ name: 'application/json', parameters });
});

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
