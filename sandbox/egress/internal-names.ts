import { refusedKind } from './addresses.ts';

/** Names under which clouds and clusters tell machines about themselves, credentials among it. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
  'rancher-metadata',
  'rancher-metadata.rancher.internal',
]);

/** Ends of names that are looked up inside a network alone. */
const INTERNAL_SUFFIXES: readonly string[] = [
  'corp',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
  'cluster.local',
  'svc',
];

/** Four numbers of an IPv4 address with points or dashes between, as public wildcard DNS has them (`10.0.0.1.nip.io`). */
const SPELLED = /(?<![\w])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?![\w])/g;

/** @param host as in Target */
export function isMetadataName(host: string): boolean {
  return METADATA_NAMES.has(host);
}

/**
 * What a name says about leading inside, or null. It goes by the name alone: a public name that its owner points at an internal
 * address is not seen.
 * @param host as in Target, not an address
 */
export function internalMeaning(host: string): string | null {
  if (!host.includes('.')) return 'it has no domain, so it is one of an inner network';
  const end = INTERNAL_SUFFIXES.find((each) => host.endsWith(`.${each}`));
  if (end !== undefined) return `names below .${end} are those of an inner network`;
  for (const [, ...numbers] of host.matchAll(SPELLED)) {
    const address = numbers.map(Number).join('.');
    const kind = refusedKind(address);
    if (kind !== null && kind !== 'malformed') return `it spells ${address}, which is refused (${kind})`;
  }
  return null;
}
