/** Wakes one reader that waits for something to have changed. */
interface ChangeNotifier {
  readonly notify: () => void;
  /** Forgets the notifications so far. */
  reset(): void;
  /**
   * Resolves at once if there was a notification since the last reset, else at the next one or when the signal aborts.
   */
  changed(): Promise<void>;
  close(): void;
}

/** @param signal notifies as well, when it is aborted */
export function createChangeNotifier(signal: AbortSignal): ChangeNotifier {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    hasChanged = true;
    wake?.();
  };
  signal.addEventListener('abort', notify);
  return {
    notify,
    reset() {
      hasChanged = false;
    },
    changed: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (hasChanged || signal.aborted) resolve();
      }),
    close() {
      signal.removeEventListener('abort', notify);
    },
  };
}
