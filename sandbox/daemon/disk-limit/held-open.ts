import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

/** How many files are examined before the event loop may run other work. */
const AT_ONCE = 500;

/**
 * Bytes of files that processes hold open or mapped and that have no name any more: they are in no folder and take room
 * until they are closed. Counted are files of `owner` on the file systems of `folders`. A file that is being passed
 * through a Unix socket belongs to no process and is not found.
 */
export async function bytesHeldOpen(
  pids: readonly number[],
  folders: readonly string[],
  owner: number,
): Promise<number> {
  const devices = new Set(folders.flatMap((folder) => statOrNull(folder)?.dev ?? []));
  const sizes = new Map<string, number>();
  let looked = 0;
  for (const pid of pids) {
    for (const path of [...openFiles(pid), ...deletedMappings(pid)]) {
      looked += 1;
      if (looked % AT_ONCE === 0) await turn();
      const found = statOrNull(path);
      if (found === null || found.nlink > 0 || !found.isFile()) continue;
      if (found.uid === owner && devices.has(found.dev))
        sizes.set(`${found.dev} ${found.ino}`, found.blocks * 512);
    }
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);
  } catch {
    return [];
  }
}

/** Mapped files that were deleted. Reading these links needs root's rights. */
function deletedMappings(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1')
      .split('\n')
      .filter((line) => line.endsWith(' (deleted)'))
      .map((line) => `/proc/${pid}/map_files/${(line.split(' ')[0] ?? '').replace(/\b0+(?=[0-9a-f])/g, '')}`);
  } catch {
    return [];
  }
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
