import type { IsolationKind } from '@steadyhand/contracts';

/** What `GET /health` of a daemon tells. */
export interface DaemonHealth {
  readonly id: string;
  readonly pid: number;
  /** Names the running computer; null while none runs. */
  readonly boot: string | null;
  readonly isolation: IsolationKind;
  /** `reason` says why there is no display. */
  readonly display: { readonly available: boolean; readonly reason?: string };
  /** Keys of the actions that run or wait, oldest first. */
  readonly pending: readonly string[];
}
