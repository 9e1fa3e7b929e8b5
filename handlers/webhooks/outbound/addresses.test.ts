import { networkInterfaces } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { isOwnAddress, isPublic } from './addresses.ts';

/** From the registries of special addresses (RFC 6890 and its successors), beside those of rule WHK-3. */
const special = [
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '::1',
  '0.255.255.255',
  '10.0.0.0',
  '100.64.0.0',
  '127.0.0.0',
  '127.255.255.255',
  '169.254.0.0',
  '169.254.255.255',
  '172.16.0.0',
  '192.168.0.0',
  '192.0.0.0',
  '192.0.0.255',
  '198.19.255.255',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '239.255.255.255',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100:0:0:1::1',
  '2001:30::1',
  '2001:4:112::1',
  '2620:4f:8000::1',
  '2002:0808:0808::1',
  'fdff:ffff::1',
  'ff0e::1',
  '4000::1',
  '8000::1',
  'e000::1',
  '1fff::1',
];
const ordinary = [
  '1.1.1.1',
  '8.8.8.8',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '168.63.129.15',
  '223.255.255.255',
  '93.184.215.14',
  '2606:4700:4700::1111',
  '2a00:1450:4001::200e',
  '2001:4860:4860::8888',
  '2400:cb00::1',
];

describe('isPublic', () => {
  test.each(special)('refuses %s', (address) => expect(isPublic(address)).toBe(false));
  test.each(ordinary)('accepts %s', (address) => expect(isPublic(address)).toBe(true));
  test.each([
    '',
    'localhost',
    '0x8080808',
    '134744072',
    '8.8.8',
    '010.8.8.8',
    '8.8.8.8 ',
    '[2606:4700::1]',
    'fe80::1%eth0',
  ])('refuses text that is no plain address: %j', (text) => expect(isPublic(text)).toBe(false));
});

describe('isOwnAddress', () => {
  test.each(['127.0.0.1', '127.1.2.3', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1'])('accepts %s', (address) =>
    expect(isOwnAddress(address)).toBe(true),
  );
  test('accepts the addresses of the network interfaces', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries?.map((one) => one.address) ?? []);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect([address, isOwnAddress(address)]).toEqual([address, true]);
  });
  test.each(['8.8.8.8', '2606:4700::1111', 'localhost'])('refuses %s', (address) =>
    expect(isOwnAddress(address)).toBe(false),
  );
});
