import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IsolationKind, SandboxLimits } from '@steadyhand/contracts';
import { machineName } from '../../machine-name.ts';
import { groupFolders, ownGroupFolders } from './cgroup.ts';

/** The files and names of the counters of exceeded limits, in cgroup v2 and v1. */
const COUNTERS = {
  memory_mib: [
    ['memory.events', 'oom_kill'],
    ['memory.oom_control', 'oom_kill'],
  ],
  processes: [['pids.events', 'max']],
} as const;

type Counted = keyof typeof COUNTERS;

/**
 * Reports limits that programs have hit since the last call. Limits by `ulimit` alone are reported to the programs
 * only.
 */
export class LimitEvents {
  readonly #limits: SandboxLimits;
  readonly #folders: Readonly<Record<Counted, readonly string[]>>;
  readonly #told: Record<Counted, number>;

  /** Limits that were hit before are not reported. */
  constructor(
    {
      folder,
      limits,
      isolation,
    }: { readonly folder: string; readonly limits: SandboxLimits; readonly isolation: IsolationKind },
    root?: string,
  ) {
    this.#limits = limits;
    const foldersOf = (name: Counted): readonly string[] =>
      isolation === 'container' ? ownGroupFolders(name, root) : groupFolders(name, machineName(folder), root);
    this.#folders = { memory_mib: foldersOf('memory_mib'), processes: foldersOf('processes') };
    this.#told = { memory_mib: this.#count('memory_mib'), processes: this.#count('processes') };
  }

  /** Returns a sentence for each limit that was hit since the last call. */
  take(): string[] {
    const killed = this.#since('memory_mib');
    const refused = this.#since('processes');
    const { memory_mib, processes } = this.#limits;
    return [
      ...(killed > 0 && memory_mib !== null
        ? [
            `The memory limit of this computer, ${memory_mib} MiB for all programs and /tmp together, was reached: ` +
              `${killed} ${killed === 1 ? 'process was' : 'processes were'} ended for it.`,
          ]
        : []),
      ...(refused > 0 && processes !== null
        ? [
            `The limit of ${processes} processes and threads was reached: ` +
              `${refused} more could not be started.`,
          ]
        : []),
    ];
  }

  #since(name: Counted): number {
    const count = this.#count(name);
    // A group that was recreated counts from zero.
    const since = count < this.#told[name] ? count : count - this.#told[name];
    this.#told[name] = count;
    return since;
  }

  #count(name: Counted): number {
    for (const folder of this.#folders[name]) {
      for (const [file, counter] of COUNTERS[name]) {
        const count = new RegExp(`^${counter} (\\d+)$`, 'm').exec(readOrEmpty(join(folder, file)))?.[1];
        if (count !== undefined) return Number(count);
      }
    }
    return 0;
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
