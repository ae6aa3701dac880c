/** Addresses that webhooks must not reach. address-rules.test.ts has the edges of all networks. */

export const FORBIDDEN_IPV4 = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
];

export const FORBIDDEN_IPV6 = [
  '::',
  '::1',
  'fc00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001::1',
  '2001:10::1',
  '2001:db8::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '64:ff9b:1::1',
];
