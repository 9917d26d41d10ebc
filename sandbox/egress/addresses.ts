import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Kinds of addresses that no sandbox reaches: services of the host, of its network and of its cloud. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  unspecified: ['0.0.0.0/8', '::/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'carrier-grade NAT': ['100.64.0.0/10'],
  // Among them 169.254.169.254, where clouds tell machines their credentials.
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  // Azure's own services for its machines, which are given their settings and certificates there.
  "the cloud's": ['168.63.129.16/32'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: ['192.0.0.0/24', '240.0.0.0/4'],
  // Ways of writing an IPv4 address whose far end is somebody else's translation.
  translated: ['::/96', '64:ff9b:1::/48', '2001::/32'],
};

const LISTS = Object.entries(RANGES).map(([kind, ranges]) => ({ kind, list: blockList(ranges) }));

/** IPv6 forms that carry an IPv4 address, by the first of its two groups. */
const CARRIERS: readonly { readonly prefix: readonly number[]; readonly at: number }[] = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { prefix: [0x2002], at: 1 },
];

/** What kind of address it is that is refused (`loopback`, `private`, ...), or null for one of the open network. */
export function refusedKind(address: string): string | null {
  if (isIP(address) === 0) return 'malformed';
  const carried = isIPv6(address) ? carriedAddress(address) : null;
  if (carried !== null) return refusedKind(carried);
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const found = LISTS.find(({ list }) => list.check(address, family));
  if (found !== undefined) return found.kind;
  return ownAddresses().check(address, family) ? "the host's own" : null;
}

/** A list of addresses and CIDR ranges. Throws for a text that is neither. */
export function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}

/** The IPv4 address that an IPv6 address stands for. */
export function carriedAddress(address: string): string | null {
  const groups = groupsOf(address);
  const carrier = CARRIERS.find(({ prefix }) => prefix.every((group, index) => groups[index] === group));
  if (carrier === undefined) return null;
  const [high = 0, low = 0] = groups.slice(carrier.at);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function groupsOf(address: string): number[] {
  // The URL parser writes an IPv4 tail as two groups.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [before = '', after] = plain.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const head = read(before);
  const tail = after === undefined ? [] : read(after);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** Asked each time: interfaces come and go. */
function ownAddresses(): BlockList {
  return blockList(
    Object.values(networkInterfaces()).flatMap((entries) =>
      (entries ?? []).map(({ address }) => address.replace(/%.*$/, '')),
    ),
  );
}
