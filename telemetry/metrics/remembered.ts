/**
 * The same read, asked for once for all who ask within a time. A read that fails answers undefined: metrics of other parts must
 * be there while one part is away.
 */
export function remembered<T>(
  read: () => Promise<T>,
  ms: number,
  now: () => number = () => performance.now(),
): () => Promise<T | undefined> {
  let last: { readonly at: number; readonly value: Promise<T | undefined> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= ms)
      last = { at: now(), value: read().catch(() => undefined) };
    return last.value;
  };
}
