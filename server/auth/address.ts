import { isIPv6 } from 'node:net';

/**
 * The part of an address that one client has for itself: all of it for IPv4, the first 64 bits for IPv6, of which a machine is
 * given the rest to choose from.
 */
export function clientAddress(address: string | undefined): string {
  const text = (address ?? '').replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(text)) return text;
  const [before = '', after] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const head = groups(before);
  const tail = groups(after ?? '');
  // A last group that is written as an IPv4 address stands for two.
  const length = head.length + tail.length + (tail.at(-1)?.includes('.') === true ? 1 : 0);
  const zeros = after === undefined ? 0 : 8 - length;
  const all = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
