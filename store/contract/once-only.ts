/** Keys that may be used once, by whoever comes first in any process. */
export interface OnceOnly {
  /**
   * True for the first caller with this key, false for every other one. The key is remembered for an hour beyond `expiresAt`, for
   * clocks that differ; the caller refuses it from then on by its age.
   * @param expiresAt milliseconds since 1970
   */
  take(key: string, expiresAt: number): Promise<boolean>;
}

/** How long a key is remembered after it has expired. */
export const REMEMBERED_MS = 60 * 60 * 1000;
