import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type RangeKind, SPECIAL_RANGES } from './special-ranges.ts';

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
