const IPV4_AS_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
/** Providers give each customer a /64 or more, so the other half of an IPv6 address is the customer's choice. */
const GROUPS_OF_A_CUSTOMER = 4;

/** What one caller is taken for: an IPv4 address, also where it is written as IPv6, or the /64 of an IPv6 address. */
export function addressBlock(address: string): string {
  const ipv4 = IPV4_AS_IPV6.exec(address)?.[1];
  if (ipv4 !== undefined || !address.includes(':')) return ipv4 ?? address;
  const [plain = ''] = address.toLowerCase().split('%');
  const [head = '', tail] = plain.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const left = [...head];
  const right = tail ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  const block = groups.slice(0, GROUPS_OF_A_CUSTOMER).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${block.join(':')}::/64`;
}
