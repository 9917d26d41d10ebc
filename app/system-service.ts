import { stat, statfs } from 'node:fs/promises';
import type { SystemService } from '@steadyhand/server';
import type { Config } from './config/config.ts';
import { folderSizes } from './folder-size.ts';
import type { Sweeps } from './sweeps.ts';
import type { TaskQueues } from './task-queues.ts';

/** What the process knows of itself for `/v1/system`. */
export function systemService(
  {
    role,
    dataDir,
    modelsDir,
  }: Pick<Config, 'dataDir' | 'modelsDir'> & {
    readonly role: 'all' | 'server';
  },
  parts: {
    readonly taskQueues: TaskQueues;
    /** Undefined until the sweeps have started. */
    readonly sweeps: () => Sweeps | undefined;
  },
): SystemService {
  const { taskQueues } = parts;
  const size = folderSizes(dataDir);
  return {
    read: async () => {
      const [{ bytes, at }, ...disks] = await Promise.all([
        size(),
        diskOf('Data', dataDir),
        diskOf('Image models', modelsDir),
      ]);
      return {
        role,
        queues: [taskQueues.sessions, taskQueues.batches],
        store: {
          folder: dataDir,
          size_bytes: bytes,
          measured_at: at === null ? null : new Date(at).toISOString(),
          sweep: parts.sweeps()?.state() ?? null,
        },
        disks: differentOnes(disks),
      };
    },
  };
}

interface Disk {
  readonly device: number;
  readonly name: string;
  readonly folder: string;
  readonly free_bytes: number;
  readonly total_bytes: number;
}

/** Each disk once, by the first folder that lies on it. */
function differentOnes(disks: readonly (Disk | null)[]): readonly Omit<Disk, 'device'>[] {
  const byDevice = new Map<number, Omit<Disk, 'device'>>();
  for (const disk of disks) {
    if (disk === null || byDevice.has(disk.device)) continue;
    const { device, ...told } = disk;
    byDevice.set(device, told);
  }
  return [...byDevice.values()];
}

/** The disk that a folder lies on; null where there is no such folder, or the system does not tell. */
async function diskOf(name: string, folder: string): Promise<Disk | null> {
  try {
    const [{ bavail, blocks, bsize }, { dev: device }] = await Promise.all([statfs(folder), stat(folder)]);
    return { device, name, folder, free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}
