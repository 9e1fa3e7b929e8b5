import { expect, test } from '@jest/globals';
import { originForm } from './request-target.ts';

test.each([
  ['/a?b=http://c/d', '/a?b=http://c/d'],
  ['http://host/a?b=c', '/a?b=c'],
  ['HTTPS://Host.example:8443/a/b', '/a/b'],
  ['http://[::1]:80/a', '/a'],
  ['http://host', '/'],
  ['http://host?a=b', '/?a=b'],
  ['http://host//a', '//a'],
])('%s is read as %s', (target, path) => expect(originForm(target)).toBe(path));

test.each([
  '*',
  '',
  'host:80',
  'http:///a',
  'http:/a',
  'http://u:p@host/a',
  'http://a b/c',
  'http://[/a',
  'ftp://host/a',
])('%s stays as it is', (target) => expect(originForm(target)).toBe(target));
