import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxLimits } from '@steadyhand/contracts';
import { errorCode } from '../../error-fields.ts';

const ROOT = '/sys/fs/cgroup';
const MIB = 1024 * 1024;
const PERIOD_US = 100_000;

/** A control group with all processes of a sandbox, and the limits that it enforces. */
export interface ControlGroup {
  /** The folders, one for each hierarchy. */
  readonly folders: readonly string[];
  readonly holds: readonly (keyof SandboxLimits)[];
  /** Adds the process, and with it whatever it starts from then on. */
  add(pid: number): void;
}

export type Limit = 'memory_mib' | 'processes' | 'cpus';

/** A controller's files and the texts to write into them. */
type Settings = (value: number) => readonly (readonly [file: string, text: string])[];

const V2: Readonly<Record<Limit, { readonly controller: string; readonly settings: Settings }>> = {
  memory_mib: {
    controller: 'memory',
    settings: (mib) => [
      ['memory.max', `${mib * MIB}`],
      ['memory.swap.max', '0'],
    ],
  },
  processes: { controller: 'pids', settings: (count) => [['pids.max', `${count}`]] },
  cpus: {
    controller: 'cpu',
    settings: (cpus) => [['cpu.max', `${Math.round(cpus * PERIOD_US)} ${PERIOD_US}`]],
  },
};

const V1: typeof V2 = {
  memory_mib: {
    controller: 'memory',
    settings: (mib) => [
      ['memory.limit_in_bytes', `${mib * MIB}`],
      ['memory.memsw.limit_in_bytes', `${mib * MIB}`],
    ],
  },
  processes: V2.processes,
  cpus: {
    controller: 'cpu',
    settings: (cpus) => [
      ['cpu.cfs_period_us', `${PERIOD_US}`],
      ['cpu.cfs_quota_us', `${Math.round(cpus * PERIOD_US)}`],
    ],
  },
};

/**
 * Makes (or finds) the group of a sandbox, given by its `machineName`, and sets its limits, as far as this process may: with cgroup v2 below its own
 * group, its parent or the root, with v1 in each controller's hierarchy. Limits that are not in `holds` must be
 * enforced otherwise.
 */
export function openControlGroup(sandbox: string, limits: SandboxLimits, root = ROOT): ControlGroup {
  const wanted = (['memory_mib', 'processes', 'cpus'] as const).filter((name) => limits[name] !== null);
  const folders = new Set<string>();
  const holds: Limit[] = [];
  for (const name of wanted) {
    const folder = setLimit(name, sandbox, limits[name] ?? 0, root);
    if (folder === null) continue;
    folders.add(folder);
    holds.push(name);
  }
  return {
    folders: [...folders],
    holds,
    add: (pid) => {
      for (const folder of folders) writeFileSync(join(folder, 'cgroup.procs'), `${pid}`);
    },
  };
}

/** Removes the sandbox's groups. Its processes may take a moment to disappear. */
export async function removeControlGroups(sandbox: string, root = ROOT): Promise<void> {
  const folders = (['memory_mib', 'processes', 'cpus'] as const).flatMap((name) =>
    places(name, sandbox, root),
  );
  for (const { folder } of folders) {
    for (let attempt = 0; attempt < 250 && !tryRemove(folder); attempt += 1) await pause(20);
  }
}

/** Returns the folders in which the sandbox's group of a limit may be. */
export function groupFolders(name: Limit, sandbox: string, root = ROOT): readonly string[] {
  return places(name, sandbox, root).map(({ folder }) => folder);
}

/** Returns the folders of this process's own group of a limit; in a container that is the container's. */
export function ownGroupFolders(name: Limit, root = ROOT): readonly string[] {
  const { controller } = V2[name];
  const own = ownGroups();
  const [first, second] = [own.get(controller), own.get('')];
  return [
    ...(first === undefined ? [] : [join(root, controller, first), join(root, controller)]),
    ...(second === undefined ? [] : [join(root, second), root]),
  ];
}

function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
  } catch (error) {
    return errorCode(error) !== 'EBUSY';
  }
  return true;
}

/** Sets the limit and returns the group's folder; null where no folder accepts it. */
function setLimit(name: Limit, sandbox: string, value: number, root: string): string | null {
  for (const { folder, table } of places(name, sandbox, root)) {
    const { controller, settings } = table[name];
    try {
      if (table === V2) offer(dirname(folder), controller);
      makeGroup(folder);
      const [first, ...others] = settings(value);
      if (first === undefined) continue;
      writeFileSync(join(folder, first[0]), first[1], { flag: 'r+' });
      for (const [file, text] of others)
        attempt(() => writeFileSync(join(folder, file), text, { flag: 'r+' }));
      return folder;
    } catch {
      attempt(() => rmdirSync(folder));
    }
  }
  return null;
}

/**
 * Makes the folder of a group where there is none. Its parents are not made: where the kernel has none, as below a network
 * namespace's own /sys, they cannot be, and Node's recursive mkdir would try it for ever.
 */
function makeGroup(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** A group has only the controllers that its parent offers. */
function offer(parent: string, controller: string): void {
  attempt(() => writeFileSync(join(parent, 'cgroup.subtree_control'), `+${controller}`, { flag: 'r+' }));
}

/** Returns the folders where the group may be, the best first. */
function places(
  name: Limit,
  sandbox: string,
  root: string,
): { readonly folder: string; readonly table: typeof V2 }[] {
  const group = `steadyhand-${sandbox}`;
  const { controller } = V2[name];
  const own = ownGroups();
  const second = own.get('') ?? null;
  const first = own.get(controller) ?? null;
  if (first !== null) return [{ folder: join(root, controller, first, group), table: V1 }];
  if (second === null) return [];
  // A group with processes in it offers no controllers; its parent may, and the root does.
  return [...new Set([second, dirname(second), '/'])].map((path) => ({
    folder: join(root, path, group),
    table: V2,
  }));
}

/** Returns this process's group in each hierarchy by controller; cgroup v2's has the empty name. */
function ownGroups(): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return new Map();
  }
  const lines = text
    .trim()
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? []);
  return new Map(
    lines.flatMap(([, names = '', path = '/']) => names.split(',').map((each) => [each, path] as const)),
  );
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Not every kernel has every file, nor lets everybody write it.
  }
}
