import assert from 'node:assert/strict';
import { test } from 'node:test';
import ipaddr from 'ipaddr.js';
import { addressRules } from './address-rules.ts';

const forbiddenBy = addressRules([]);

const NETWORKS: readonly (readonly [rule: string, first: string, last: string])[] = [
  ['unspecified address', '0.0.0.0', '0.255.255.255'],
  ['unspecified address', '::', '::'],
  ['loopback network', '127.0.0.0', '127.255.255.255'],
  ['loopback network', '::1', '::1'],
  ['private network', '10.0.0.0', '10.255.255.255'],
  ['private network', '172.16.0.0', '172.31.255.255'],
  ['private network', '192.168.0.0', '192.168.255.255'],
  ['private network', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['private network', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local network', '169.254.0.0', '169.254.255.255'],
  ['link-local network', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['shared network of a provider', '100.64.0.0', '100.127.255.255'],
  ['metadata service', '168.63.129.16', '168.63.129.16'],
  ['network for protocols', '192.0.0.0', '192.0.0.255'],
  ['network for protocols', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['network for protocols', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['network for anycast services', '192.31.196.0', '192.31.196.255'],
  ['network for anycast services', '192.52.193.0', '192.52.193.255'],
  ['network for anycast services', '192.88.99.0', '192.88.99.255'],
  ['network for anycast services', '192.175.48.0', '192.175.48.255'],
  ['network for anycast services', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['network for documentation', '192.0.2.0', '192.0.2.255'],
  ['network for documentation', '198.51.100.0', '198.51.100.255'],
  ['network for documentation', '203.0.113.0', '203.0.113.255'],
  ['network for documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['network for documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['network for benchmarks', '198.18.0.0', '198.19.255.255'],
  ['multicast network', '224.0.0.0', '239.255.255.255'],
  ['multicast network', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IPv4 address inside an IPv6 address', '::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['IPv4 address inside an IPv6 address', '::ffff:0:0.0.0.0', '::ffff:0:255.255.255.255'],
  ['IPv4 address inside an IPv6 address', '64:ff9b::', '64:ff9b::255.255.255.255'],
  ['IPv4 address inside an IPv6 address', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['IPv4 address inside an IPv6 address', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IPv4 address inside an IPv6 address', '::2', '::ffff:ffff'],
  ['reserved network', '240.0.0.0', '255.255.255.255'],
  ['reserved network', '100::', '100::ffff:ffff:ffff:ffff'],
  ['reserved network', '3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['reserved network', '::1:0:0:0', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['reserved network', '4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['reserved network', '5f01::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['reserved network', 'fe00::', 'fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

function numberOf(text: string) {
  const bytes = ipaddr.parse(text).toByteArray();
  return { bits: bytes.length * 8, number: BigInt(`0x${Buffer.from(bytes).toString('hex')}`) };
}

function textOf(bits: number, number: bigint): string {
  const hex = number.toString(16).padStart(bits / 4, '0');
  return ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString();
}

const RANGES = NETWORKS.map(([rule, first, last]) => ({
  ...numberOf(first),
  rule,
  last: numberOf(last).number,
}));

/** Only addresses that begin with the bits 001 are public in IPv6. */
const otherRule = (bits: number, number: bigint) =>
  bits === 128 && number >> 125n !== 1n ? 'reserved network' : undefined;

function assertRule(bits: number, number: bigint): void {
  if (number < 0n || number >= 1n << BigInt(bits)) return;
  const range = RANGES.find((one) => one.bits === bits && number >= one.number && number <= one.last);
  const text = textOf(bits, number);
  assert.equal(forbiddenBy(text), range?.rule ?? otherRule(bits, number), text);
}

test('the edges of each special network are forbidden by its rule, and the addresses next to it are not', () => {
  for (const { bits, number, last } of RANGES)
    for (const offset of [-1n, 0n, 1n]) for (const edge of [number, last]) assertRule(bits, edge + offset);
});

test('a text that is not an IP address is forbidden', () => {
  for (const text of [
    '',
    'localhost',
    'example.com',
    '127.1',
    '0x7f.0.0.1',
    '1.2.3.4.5',
    '[::1]',
    '8.8.8.8:80',
  ])
    assert.equal(forbiddenBy(text), 'not an IP address', text);
});

test('networks of the setting are allowed, but no address next to them', () => {
  const rules = addressRules(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1', '192.168.7.9/24']);
  const allowed = ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd12::1', '::1', '192.168.7.200', '8.8.8.8'];
  for (const address of allowed) assert.equal(rules(address), undefined, address);
  for (const address of ['10.0.255.255', '10.2.0.0', '127.0.0.2', 'fc00::1', '::2', '192.168.8.0'])
    assert.notEqual(rules(address), undefined, address);
});

test('an IPv4 network does not allow the IPv6 addresses that contain its addresses', () => {
  const rules = addressRules(['10.0.0.0/8']);
  for (const address of ['::ffff:10.0.0.1', '64:ff9b::10.0.0.1', '2002:a00:1::', '::10.0.0.1'])
    assert.equal(rules(address), 'IPv4 address inside an IPv6 address', address);
});

test('a gateway to IPv4 that is allowed leads to allowed IPv4 addresses only', () => {
  const rules = addressRules(['64:ff9b::/96', '::ffff:0:0/96', '10.0.0.0/8']);
  for (const address of ['64:ff9b::8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::10.0.0.1'])
    assert.equal(rules(address), undefined, address);
  assert.equal(rules('64:ff9b::127.0.0.1'), 'loopback network');
  assert.equal(rules('::ffff:169.254.169.254'), 'link-local network');
});
