import type { EgressWay } from './egress.ts';

/** What a daemon on a pool machine has to know of it. */
export interface DaemonPlace {
  /** The machine's folder. The daemon ends when the machine's process has been gone for two minutes. */
  readonly machine: string;
  readonly egressWay: EgressWay;
}
