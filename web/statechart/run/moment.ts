/** The macrostep that a page shows, in its address. Without one it shows the newest, whichever that is. */
export interface MomentSearch {
  readonly step?: number;
}

export function momentSearch({ step }: Record<string, unknown>): MomentSearch {
  const number = Number(step);
  return step !== undefined && Number.isSafeInteger(number) && number >= 1 ? { step: number } : {};
}
