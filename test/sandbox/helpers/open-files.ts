/** Lists the files that a shell has open, for `openFiles` to read. */
export const LIST_OPEN_FILES = 'ls -l /proc/$$/fd';

/** The descriptors in such a list, but for the source of random numbers, which Node 20.3 leaves open for its children. */
export function openFiles(listing: string): number[] {
  return [...listing.matchAll(/ (\d+) -> (.*)$/gm)]
    .filter(([, , file]) => file !== '/dev/urandom')
    .map(([, descriptor]) => Number(descriptor))
    .toSorted((a, b) => a - b);
}
