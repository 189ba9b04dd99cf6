import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns a client's network, for rate limits: an IPv4 address, or the /64 of an IPv6 address, because a
 * customer usually owns all addresses in it. Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const dotted = plain.slice(plain.lastIndexOf(':') + 1);
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<number>(zeros).fill(0), ...after];
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped)
    return `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(':')}::/64`;
  if (isIPv4(dotted)) return dotted;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/**
 * Returns the wider networks around a `/64` that one customer or provider may own: its /56 and /48. None for
 * other networks.
 */
export function widerNetworksOf(network: string): string[] {
  const [, one, two, three, four = ''] =
    /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)::\/64$/.exec(network) ?? [];
  if (one === undefined) return [];
  const start = `${one}:${two}:${three}`;
  return [`${start}:${(Number.parseInt(four, 16) & 0xff00).toString(16)}::/56`, `${start}::/48`];
}

/**
 * Returns the site of a network: its /48, which a single customer may own, or the network itself if it has
 * none.
 */
export const siteOf = (network: string): string => widerNetworksOf(network).at(-1) ?? network;

/** Returns the 16-bit groups in a part of an IPv6 address. A dotted quad at the end counts as two groups. */
const groupsOf = (part: string): number[] =>
  part
    .split(':')
    .filter(Boolean)
    .flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });
