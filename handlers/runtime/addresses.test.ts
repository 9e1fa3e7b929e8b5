import { describe, expect, test } from '@jest/globals';
import { allowedNetwork } from './addresses.ts';

describe('allowedNetwork', () => {
  const holds = (network: string, address: string) => allowedNetwork(network)?.holds(address);
  test('with a port and one address contains that address alone', () => {
    expect(allowedNetwork('127.0.0.1:8443')).toMatchObject({ text: '127.0.0.1:8443', port: 8443 });
    expect(holds('127.0.0.1:8443', '127.0.0.1')).toBe(true);
    expect(holds('127.0.0.1:8443', '127.0.0.2')).toBe(false);
    expect(holds('127.0.0.1:8443', '::1')).toBe(false);
    expect(holds('127.0.0.1:8443', '::ffff:127.0.0.1')).toBe(false);
    expect(holds('[::1]:8443', '::1')).toBe(true);
    expect(holds('[::1]:8443', '127.0.0.1')).toBe(false);
    expect(holds('[fd00::1]:8443', 'fd00::2')).toBe(false);
    expect(holds('127.0.0.1:8443', 'localhost')).toBe(false);
    expect(allowedNetwork('127.0.0.1:65535')?.port).toBe(65_535);
  });
  test('contains the addresses of a network', () => {
    expect(holds('10.1.0.0/16:443', '10.1.255.255')).toBe(true);
    expect(holds('10.1.0.0/16:443', '10.2.0.0')).toBe(false);
    expect(holds('[fd00::/8]:8443', 'fdff::1')).toBe(true);
    expect(holds('[fd00::/8]:8443', 'fc00::1')).toBe(false);
    expect(holds('10.1.0.7/32:443', '10.1.0.7')).toBe(true);
    expect(holds('[fd00::1/128]:443', 'fd00::1')).toBe(true);
  });
  test.each([
    '',
    '127.0.0.1',
    '127.1:8443',
    '127.0.0.1:',
    '127.0.0.1:http',
    '127.0.0.1:65536',
    '::1:8443',
    'localhost:8443',
    '10.0.0.0/33:443',
    '10.0.0.0/8/8:443',
    '10.0.0.0/:443',
    '10.0.0.0/x8:443',
    '10.0.0.0/8x:443',
    '10.0.0.0/8:443x',
    'x[::1]:443',
    '[::1]',
    '[127.0.0.1]:443',
    '[fd00::/129]:443',
    '*:443',
  ])('is undefined for %j', (text) => expect(allowedNetwork(text)).toBeUndefined());
});
