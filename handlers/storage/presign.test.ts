import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { diskPresigner } from '../../scripts/world/disk-storage.ts';
import { setClockOffset } from '../runtime/clock.ts';
import { attachment } from './presign.ts';

const long = (character: string, length: number, end = '') => character.repeat(length) + end;

test.each([
  ["Бұйрық o'clock (1)* 100%; №.pdf", "Бұйрық o'clock (1)* 100%; №.pdf"],
  ['a "b" \\ c%41.pdf', 'a "b" _ c%41.pdf'],
  ['a\r\nSet-Cookie: x=1.pdf', 'aSet-Cookie: x=1.pdf'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a\u202Efdp.exe', 'afdp.exe'],
  ['אבג.pdf', 'אבג.pdf'],
  ['  a b.pdf ', 'a b.pdf'],
  [long('ж', 1_020, '.pdf'), long('ж', 146, '.pdf')],
  [long('ж', 146, '.pdf'), long('ж', 146, '.pdf')],
  [long('ж', 147, '.pdf'), long('ж', 146, '.pdf')],
  [long('😀', 151), long('😀', 150)],
  [long('ж', 200, '.1.pdf'), long('ж', 146, '.pdf')],
  [`a.${long('ж', 200)}`, `a.${long('ж', 136)}.${long('ж', 11)}`],
  ['', 'file'],
  [' ', 'file'],
])('%j is sent as %j, in ASCII, with every character that RFC 8187 wants encoded', (filename, shown) => {
  const [, plain, encoded = ''] =
    /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''(.*)$/.exec(attachment(filename)) ?? [];
  expect(plain).not.toMatch(/["\\%]/);
  // Old clients see a mark for each character that they cannot.
  expect(plain).toHaveLength(shown.length);
  expect(encoded).toMatch(/^(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+$/);
  expect(decodeURIComponent(encoded)).toBe(shown);
});

describe('what is signed', () => {
  const signer = diskPresigner('https://files.hooks.kz/a', 'secret of a test');
  const object = { key: 'uploads/t/f', version: 'v1' };

  // The service's clock stands two days before the machine's, in the middle of a second.
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-03-04T05:06:07.890Z'), doNotFake: ['nextTick', 'setImmediate'] });
    setClockOffset(-48 * 3_600_000);
  });
  afterEach(() => {
    setClockOffset(0);
    jest.useRealTimers();
  });

  test('a URL gets one version with its name and type, for its lifetime, without further headers', async () => {
    const signed = await signer.downloadUrl(object, { filename: 'a.pdf', content_type: 'application/pdf' }, 300_000);
    const { origin, pathname, searchParams } = new URL(signed);
    expect(origin + pathname).toBe('https://files.hooks.kz/a/files/uploads/t/f');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      versionId: 'v1',
      'response-content-type': 'application/pdf',
      'response-content-disposition': attachment('a.pdf'),
      'X-Amz-Date': '20260302T050607Z',
      'X-Amz-Expires': '300',
      'X-Amz-SignedHeaders': 'host',
    });
    // A browser sends no checksum, so it must not be asked for one.
    expect([...searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
  });

  test('a lifetime is rounded down to whole seconds', async () => {
    const { expire_time } = await signer.uploadForm('uploads/t/f', 'application/pdf', 1_000, 1_999);
    const url = await signer.downloadUrl(object, { filename: 'a', content_type: 'text/plain' }, 1_999);
    expect([expire_time, new URL(url).searchParams.get('X-Amz-Expires')]).toEqual([
      new Date('2026-03-02T05:06:08Z'),
      '1',
    ]);
  });
});
