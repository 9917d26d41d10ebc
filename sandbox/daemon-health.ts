import type { IsolationKind } from '@steadyhand/contracts';

/** What `GET /health` of a daemon tells. */
export interface DaemonHealth {
  readonly id: string;
  readonly pid: number;
  /** null between two lives of the computer. */
  readonly boot: string | null;
  readonly isolation: IsolationKind;
  /** `reason` says why there is no desktop. */
  readonly display: { readonly available: boolean; readonly reason?: string };
  /** Keys whose actions run or wait, oldest first. */
  readonly pending: readonly string[];
}
