import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

interface UidRange {
  readonly first: number;
  readonly count: number;
}

/** The range of agents' users when the machine maps all users: it is away from people, services and containers. */
const HIGH = { first: 700_000_000, count: 16_000_000 };

/**
 * Returns the host user of a sandbox's processes. When this process is root, it is one of the sandbox's own (not in
 * /etc/passwd, owner of nothing but the workspace). It is null when this process is an ordinary user, who can only be
 * itself.
 */
export function agentUidFor(id: string, uid: number = process.getuid?.() ?? -1): number | null {
  if (uid !== 0) return null;
  const range = rangeWithin(mappedRanges());
  const hash = createHash('sha256').update(id).digest().readUInt32BE(0);
  return range.first + (hash % range.count);
}

/** Returns the part of the mapped users to choose from; in a rootless container only some 65,000 exist. */
export function rangeWithin(mapped: readonly UidRange[]): UidRange {
  const end = HIGH.first + HIGH.count;
  if (mapped.some(({ first, count }) => first <= HIGH.first && first + count >= end)) return HIGH;
  const largest = [...mapped].sort((a, b) => b.count - a.count)[0] ?? { first: 0, count: 65_536 };
  // No distribution puts users of its own into the upper half.
  const half = Math.max(1, Math.floor(largest.count / 2));
  return { first: largest.first + largest.count - half, count: Math.max(1, half - 1_000) };
}

function mappedRanges(): UidRange[] {
  return readFileSync('/proc/self/uid_map', 'latin1')
    .trim()
    .split('\n')
    .map((line) => {
      const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return { first, count };
    });
}
