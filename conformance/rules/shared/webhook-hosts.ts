/** Hosts to which nothing may be delivered, each in the notations that could hide one. */

/** The words of a text. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const v4 = words(`
  0.0.0.0 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 168.63.129.16
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1
  198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
`);

const v6 = words(`
  :: ::1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:0:7f00:1 ::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 100::1
  2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:a9fe:a9fe:: 2002:7f00:1::1 3fff::1 5f00::1 fc00::1
  fd00:ec2::254 fe80::1 febf::1 fec0::1 ff02::1
`);

/** Other ways to write 127.0.0.1 and 169.254.169.254. */
const disguised = words(`
  127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 0177.0.0.1 017700000001 127.0.0.1. %31%32%37.0.0.1
  ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 2852039166 0xa9fea9fe 0251.0376.0251.0376 0 [fe80::1%25eth0]
  [0:0:0:0:0:ffff:7f00:1]
`);

/** Hosts in the form of a URL. */
export const refusedHosts: readonly string[] = [...v4, ...v6.map((address) => `[${address}]`), ...disguised];

/** Names of this machine or a private address, names that nobody owns, and names that are not Internet hosts (D-28). */
export const refusedNames = words(`
  localhost LOCALHOST localhost. ⓛocalhost a.localhost localhost.localdomain ip6-localhost 127.0.0.1.nip.io
  169.254.169.254.nip.io localtest.me metadata.google.internal no-such-name.invalid kubernetes.default.svc
  intranet example.com printer.local nas.home.arpa hooks.alt
`);
