import { refusedKind } from './addresses.ts';

/** Clouds and clusters give machines information about themselves under these names, including credentials. */
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

/** Suffixes of names that are looked up only inside a network. */
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

/** Four numbers of an IPv4 address separated by points or dashes, as in public wildcard DNS (`10.0.0.1.nip.io`). */
const SPELLED = /(?<![\w])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?![\w])/g;

/** @param host as in Target */
export function isMetadataName(host: string): boolean {
  return METADATA_NAMES.has(host);
}

/**
 * Returns why a name seems to lead to an internal network, or null. Only the name itself is examined: a public name
 * that its owner points at an internal address is not noticed.
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
