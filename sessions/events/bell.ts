/** Wakes whoever waits for news. */
export interface Bell {
  readonly ring: () => void;
  /** Forgets earlier rings. */
  silence(): void;
  /** Resolves at once when it has rung since it was silenced, else at the next ring or abort. */
  rung(): Promise<void>;
  close(): void;
}

/** @param signal rings it too, when it is aborted */
export function createBell(signal: AbortSignal): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    hasRung = true;
    wake?.();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    silence() {
      hasRung = false;
    },
    rung: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (hasRung || signal.aborted) resolve();
      }),
    close() {
      signal.removeEventListener('abort', ring);
    },
  };
}
