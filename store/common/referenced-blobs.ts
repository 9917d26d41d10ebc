import { isBlobHash } from '../contract/blobs.ts';

/**
 * The hashes of every `source` of the form `{type: "blob", sha256}` in a value, but for tool inputs: the model wrote
 * those.
 */
export function referencedBlobs(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'source' && isBlobSource(member)) found.add(member.sha256);
    else if (key !== 'input') referencedBlobs(member, found);
  }
  return found;
}

function isBlobSource(source: unknown): source is { readonly sha256: string } {
  if (typeof source !== 'object' || source === null || !('type' in source) || !('sha256' in source))
    return false;
  return source.type === 'blob' && typeof source.sha256 === 'string' && isBlobHash(source.sha256);
}
