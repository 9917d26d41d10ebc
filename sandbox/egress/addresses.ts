import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The purpose of a range of addresses, in a word that refusals show. */
export type RangeKind =
  | 'loopback'
  | 'unspecified'
  | 'private'
  | 'carrier-grade NAT'
  | 'link-local'
  | "the cloud's"
  | 'multicast'
  | 'documentation'
  | 'benchmarking'
  | 'reserved'
  | 'translated';

/** A range with a special purpose. `kind` is null for a part of a refused range that is reachable from everywhere. */
interface SpecialRange {
  readonly range: string;
  readonly kind: RangeKind | null;
  /** The name in the registry, and the document that reserves the range. */
  readonly name: string;
  readonly source: string;
}

type Row = readonly [range: string, kind: RangeKind | null, name: string, source: string];

/**
 * IANA's special-purpose address registries (iana-ipv4-special-registry and iana-ipv6-special-registry): the ranges
 * that are not globally reachable, and parts of them that are. Forms that carry an IPv4 address are judged by that
 * address and are not listed.
 */
const IPV4: readonly Row[] = [
  ['0.0.0.0/8', 'unspecified', 'This network', 'RFC 791'],
  ['10.0.0.0/8', 'private', 'Private-Use', 'RFC 1918'],
  ['100.64.0.0/10', 'carrier-grade NAT', 'Shared Address Space', 'RFC 6598'],
  ['127.0.0.0/8', 'loopback', 'Loopback', 'RFC 1122'],
  // The range contains 169.254.169.254, where clouds give machines their credentials.
  ['169.254.0.0/16', 'link-local', 'Link Local', 'RFC 3927'],
  ['172.16.0.0/12', 'private', 'Private-Use', 'RFC 1918'],
  ['192.0.0.0/24', 'reserved', 'IETF Protocol Assignments', 'RFC 6890'],
  ['192.0.0.0/29', 'reserved', 'IPv4 Service Continuity Prefix', 'RFC 7335'],
  ['192.0.0.8/32', 'reserved', 'IPv4 dummy address', 'RFC 7600'],
  ['192.0.0.9/32', null, 'Port Control Protocol Anycast', 'RFC 7723'],
  ['192.0.0.10/32', null, 'Traversal Using Relays around NAT Anycast', 'RFC 8155'],
  ['192.0.0.170/32', 'reserved', 'NAT64/DNS64 Discovery', 'RFC 8880'],
  ['192.0.0.171/32', 'reserved', 'NAT64/DNS64 Discovery', 'RFC 8880'],
  ['192.0.2.0/24', 'documentation', 'Documentation (TEST-NET-1)', 'RFC 5737'],
  ['192.88.99.0/24', 'reserved', 'Deprecated (6to4 Relay Anycast)', 'RFC 7526'],
  ['192.168.0.0/16', 'private', 'Private-Use', 'RFC 1918'],
  ['198.18.0.0/15', 'benchmarking', 'Benchmarking', 'RFC 2544'],
  ['198.51.100.0/24', 'documentation', 'Documentation (TEST-NET-2)', 'RFC 5737'],
  ['203.0.113.0/24', 'documentation', 'Documentation (TEST-NET-3)', 'RFC 5737'],
  ['240.0.0.0/4', 'reserved', 'Reserved', 'RFC 1112'],
  ['255.255.255.255/32', 'reserved', 'Limited Broadcast', 'RFC 8190'],
  // This range is from another registry.
  ['224.0.0.0/4', 'multicast', 'Multicast', 'RFC 5771'],
  // Azure gives its machines their settings and certificates at this address.
  ['168.63.129.16/32', "the cloud's", 'Azure platform services', 'Azure'],
];

const IPV6: readonly Row[] = [
  ['::1/128', 'loopback', 'Loopback Address', 'RFC 4291'],
  ['::/128', 'unspecified', 'Unspecified Address', 'RFC 4291'],
  ['64:ff9b:1::/48', 'translated', 'IPv4-IPv6 Translat.', 'RFC 8215'],
  ['100::/64', 'reserved', 'Discard-Only Address Block', 'RFC 6666'],
  ['100:0:0:1::/64', 'reserved', 'Dummy IPv6 Prefix', 'RFC 9780'],
  ['2001::/23', 'reserved', 'IETF Protocol Assignments', 'RFC 2928'],
  ['2001::/32', 'translated', 'TEREDO', 'RFC 4380'],
  ['2001:1::1/128', null, 'Port Control Protocol Anycast', 'RFC 7723'],
  ['2001:1::2/128', null, 'Traversal Using Relays around NAT Anycast', 'RFC 8155'],
  ['2001:1::3/128', null, 'DNS-SD Service Registration Protocol Anycast', 'RFC 9665'],
  ['2001:2::/48', 'benchmarking', 'Benchmarking', 'RFC 5180'],
  ['2001:3::/32', null, 'AMT', 'RFC 7450'],
  ['2001:4:112::/48', null, 'AS112-v6', 'RFC 7535'],
  ['2001:10::/28', 'reserved', 'Deprecated (previously ORCHID)', 'RFC 4843'],
  ['2001:20::/28', null, 'ORCHIDv2', 'RFC 7343'],
  ['2001:30::/28', null, 'Drone Remote ID Protocol Entity Tags (DETs) Prefix', 'RFC 9374'],
  ['2001:db8::/32', 'documentation', 'Documentation', 'RFC 3849'],
  ['3fff::/20', 'documentation', 'Documentation', 'RFC 9637'],
  ['5f00::/16', 'reserved', 'Segment Routing (SRv6) SIDs', 'RFC 9602'],
  ['fc00::/7', 'private', 'Unique-Local', 'RFC 4193'],
  ['fe80::/10', 'link-local', 'Link-Local Unicast', 'RFC 4291'],
  // These are from the registry of the whole address space: global unicast is 2000::/3, and nothing else is assigned.
  ['::/3', 'reserved', 'Reserved by IETF', 'RFC 4291'],
  ['::/96', 'translated', 'IPv4-Compatible, deprecated', 'RFC 4291'],
  ['4000::/2', 'reserved', 'Reserved by IETF', 'RFC 4291'],
  ['8000::/1', 'reserved', 'Reserved by IETF', 'RFC 4291'],
  ['fec0::/10', 'private', 'Site-Local, deprecated', 'RFC 3879'],
  ['ff00::/8', 'multicast', 'Multicast', 'RFC 4291'],
];

const SPECIAL_RANGES: readonly SpecialRange[] = [...IPV4, ...IPV6].map(([range, kind, name, source]) => ({
  range,
  kind,
  name,
  source,
}));

/** The narrowest range comes first, so that a range inside another one is found before it. */
const LISTS = SPECIAL_RANGES.map(({ range, kind }) => ({
  kind,
  bits: Number(range.split('/')[1]),
  family: familyOf(range),
  list: blockList([range]),
})).toSorted((one, other) => other.bits - one.bits);

/** IPv6 forms that carry an IPv4 address; `at` is the first of its two groups. */
const CARRIERS: readonly { readonly prefix: readonly number[]; readonly at: number }[] = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { prefix: [0x2002], at: 1 },
];

/** Why an address is refused: the purpose of its range, or that it is this machine's. */
export type RefusedKind = RangeKind | 'malformed' | "the host's own";

/** Returns why an address is refused, or null for one that is reachable from everywhere. */
export function refusedKind(address: string): RefusedKind | null {
  if (isIP(address) === 0) return 'malformed';
  const carried = isIPv6(address) ? carriedAddress(address) : null;
  if (carried !== null) return refusedKind(carried);
  const family = familyOf(address);
  // The family is compared too, because a list of IPv6 ranges reads an IPv4 address as its mapped form.
  const found = LISTS.find((entry) => entry.family === family && entry.list.check(address, family));
  if (found !== undefined && found.kind !== null) return found.kind;
  return ownAddresses().check(address, family) ? "the host's own" : null;
}

/** Builds a list from addresses and CIDR ranges. Throws for a text that is neither. */
export function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = familyOf(address);
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}

/** Returns the family of an address or a range. */
function familyOf(text: string): 'ipv4' | 'ipv6' {
  return text.includes(':') ? 'ipv6' : 'ipv4';
}

/** Returns the IPv4 address that an IPv6 address carries, or null. */
function carriedAddress(address: string): string | null {
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

/** This is read each time, because interfaces come and go. */
function ownAddresses(): BlockList {
  return blockList(
    Object.values(networkInterfaces()).flatMap((entries) =>
      (entries ?? []).map(({ address }) => address.replace(/%.*$/, '')),
    ),
  );
}
