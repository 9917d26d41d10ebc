import { createHash, randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync, linkSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Packages } from '@steadyhand/contracts';
import { readConfig, type SandboxConfig } from '../config.ts';
import { errorCode } from '../error-fields.ts';
import { agentUidFor } from '../agent-uid.ts';
import { type ProcessIdentity, identify, isAlive } from '../process-tree.ts';
import { DamagedFileError } from '../record-file.ts';
import { writeSyncedSync } from '../whole-file.ts';
import { PackagesError } from './errors.ts';

/** This folder is beside the sandboxes' folders; a sandbox's id never begins with a dot. */
const FOLDER = '.packages';
const DRAFT = '.new-';
const WEEK_MS = 7 * 24 * 3_600_000;
const LOOK_MS = 250;
/** This is longer than a build may take. */
const WAIT_MS = 20 * 60_000;

/**
 * The folder of a sandbox's installed packages. It is shared by all sandboxes with the same list that were made in the
 * same week.
 */
export interface Layer {
  readonly folder: string;
  /**
   * The host's user that builds it. It is used for nothing else, so that no sandbox's agent could ever write the layer.
   * null means this process's user.
   */
  readonly uid: number | null;
}

export function hasPackages({ apt, cargo, gem, go, npm, pip }: Packages): boolean {
  return [apt, cargo, gem, go, npm, pip].some((names) => names.length > 0);
}

/**
 * Returns the layer of a sandbox. A package without a version means its newest, so lists are installed anew each week.
 */
export function layerOf(sandboxFolder: string, config: SandboxConfig): Layer {
  const system = readOrEmpty('/etc/os-release') + readOrEmpty('/etc/debian_version');
  const week = Math.floor(Date.parse(config.created_at) / WEEK_MS);
  const { apt, cargo, gem, go, npm, pip } = config.packages;
  const lists = [apt, cargo, gem, go, npm, pip].map((names) => [...new Set(names)].sort());
  const key = createHash('sha256')
    .update(JSON.stringify([1, process.arch, system, week, ...lists]))
    .digest('hex')
    .slice(0, 32);
  const folder = join(dirname(sandboxFolder), FOLDER, key);
  return { folder, uid: config.agent_uid === null ? null : agentUidFor(`packages ${key}`) };
}

export function isBuilt(layer: Layer): boolean {
  return existsSync(layer.folder);
}

/**
 * Has the layer built unless it exists. A draft is renamed in one step, by one process at a time (the others wait and
 * use the result). `build` fills the folder that it gets. What it throws is thrown here, and nothing is kept.
 */
export async function ensureLayer(
  layer: Layer,
  signal: AbortSignal,
  build: (draft: string) => Promise<void>,
): Promise<void> {
  const home = dirname(layer.folder);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const deadline = performance.now() + WAIT_MS;
  const lock = `${layer.folder}.lock`;
  while (!isBuilt(layer)) {
    signal.throwIfAborted();
    if (!takeLock(lock)) {
      if (performance.now() > deadline) throw new PackagesError('another sandbox is still installing them');
      await pause(LOOK_MS);
      continue;
    }
    const draft = join(home, `${DRAFT}${basename(layer.folder)}-${randomBytes(6).toString('hex')}`);
    try {
      if (isBuilt(layer)) return;
      removeLeftovers(home);
      await mkdir(draft, { mode: 0o755 });
      await chmod(draft, 0o755);
      if (layer.uid !== null) await chown(draft, layer.uid, layer.uid);
      await build(draft);
      // A name that survives a power cut must not stand for files that did not.
      await promisify(execFile)('sync', ['-f', draft]).catch(() => undefined);
      await rename(draft, layer.folder).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
      rmSync(lock, { force: true });
    }
  }
}

/**
 * Returns true for one process at a time. Two that find a dead process's lock at the same moment may both go on, each
 * with a draft of its own: the second to finish finds the name used, and loses nothing but its time.
 */
function takeLock(lock: string): boolean {
  const own = identify(process.pid);
  const draft = `${lock}.${process.pid}`;
  rmSync(draft, { force: true });
  writeSyncedSync(draft, JSON.stringify(own));
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        linkSync(draft, lock);
        return true;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      const holder = parseIdentity(readOrEmpty(lock));
      if (holder !== null && isAlive(holder)) return false;
      rmSync(lock, { force: true });
    }
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    return JSON.parse(text) as ProcessIdentity;
  } catch {
    return null;
  }
}

/** Removes drafts of builders that died, and layers from before this week that no sandbox was made with. */
function removeLeftovers(home: string): void {
  const sandboxes = dirname(home);
  const used = new Set(
    readdirSync(sandboxes)
      .filter((name) => !name.startsWith('.'))
      .flatMap((name) => {
        const config = configOrNull(join(sandboxes, name));
        return config === null ? [] : [basename(layerOf(join(sandboxes, name), config).folder)];
      }),
  );
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const leftover = name.startsWith(DRAFT)
      ? age > WAIT_MS
      : /^[0-9a-f]{32}$/.test(name) && !used.has(name) && age > WEEK_MS;
    if (leftover) rmSync(path, { recursive: true, force: true });
  }
}

/** A sandbox whose configuration is damaged does not start again, so it uses no layer. */
function configOrNull(folder: string): SandboxConfig | null {
  try {
    return readConfig(folder);
  } catch (error) {
    if (error instanceof DamagedFileError) return null;
    throw error;
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
