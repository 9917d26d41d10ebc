import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from '@steadyhand/contracts';
import { type SandboxConfig, readConfig } from '../config.ts';
import { errorCode, isDiskFull } from '../error-fields.ts';
import { readText } from '../record-file.ts';
import { removeTree } from '../remove-tree.ts';
import { writeEtcFiles } from '../isolation/etc-files.ts';
import { syncFileSystem, syncFolder, syncFiles, writeWhole } from '../whole-file.ts';
import { Snapshots } from '../snapshots/snapshots.ts';
import { type SandboxLayout, layoutOf } from '../layout.ts';

const ID = /^sbx_[A-Za-z0-9_-]{1,100}$/;
const SPARE = /^spare_[0-9a-f]{24}$/;
const DRAFT = '.new-';
/** A draft of this age was left behind. */
const DRAFT_AGE_MS = 60_000;

export function isSandboxId(id: string): boolean {
  return ID.test(id);
}

export function newSandboxId(): string {
  return `sbx_${randomBytes(12).toString('hex')}`;
}

/** The name of a sandbox that belongs to nobody yet; no request can name it. */
export function newSpareName(): string {
  return `spare_${randomBytes(12).toString('hex')}`;
}

export function isSpareName(name: string): boolean {
  return SPARE.test(name);
}

/** The id of the sandbox that an idempotency key stands for, the same in every process. */
export function sandboxIdOfKey(key: string): string {
  return `sbx_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`;
}

/**
 * The folders of all sandboxes of a data folder, each named by the sandbox's id. The folder of one that began as a spare
 * keeps its name, because its daemon knows it by that, and the id is a link to it.
 */
export class SandboxFolders {
  readonly #dir: string;

  /** The snapshots, which lie beside the sandboxes. */
  readonly snapshots: Snapshots;

  constructor(dir: string) {
    this.#dir = dir;
    this.snapshots = new Snapshots(join(dir, 'snapshots'));
  }

  folderOf(id: string): string {
    return join(this.#dir, id);
  }

  /** The configuration of a sandbox that exists and is not being deleted. */
  async find(id: string): Promise<SandboxConfig | null> {
    if (!isSandboxId(id) && !isSpareName(id)) return null;
    const folder = this.folderOf(id);
    const config = readConfig(folder);
    return config === null || (await this.isMarkedDeleted(id)) ? null : config;
  }

  /** The configuration, also of a sandbox that is being deleted. */
  read(id: string): SandboxConfig | null {
    return readConfig(this.folderOf(id));
  }

  /** Whose sandbox it is; null where nothing is written of that. */
  ownerOf(id: string): string | null {
    return readText(layoutOf(this.folderOf(id)).owner);
  }

  async isMarkedDeleted(id: string): Promise<boolean> {
    return (await stat(layoutOf(this.folderOf(id)).tombstone).catch(() => null)) !== null;
  }

  /**
   * Makes the folder in one step, so that it is there whole or not at all. A folder that another process made first
   * under this id stays. With a `snapshot` the workspace is a copy of that. With `elsewhere` only the configuration is
   * written, because the machine of the sandbox has a folder with the rest.
   */
  async make(
    config: SandboxConfig,
    {
      elsewhere = false,
      snapshot,
      owner,
    }: {
      readonly elsewhere?: boolean;
      readonly snapshot?: string | undefined;
      /** Whose sandbox it is, on a machine that several installations may use. */
      readonly owner?: string;
    } = {},
  ): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const draft = join(this.#dir, `${DRAFT}${randomBytes(8).toString('hex')}`);
    const layout = layoutOf(draft);
    await mkdir(draft, { mode: 0o700 });
    try {
      if (!elsewhere) await makeComputerFolders(layout, config);
      if (owner !== undefined) await writeWhole(layout.owner, owner);
      if (snapshot !== undefined) {
        await rm(layout.workspace, { recursive: true });
        await this.snapshots.copy(snapshot, layout.workspace, config.agent_uid);
        await syncFileSystem(draft);
      }
      // The folder is renamed after all its content is on the disk.
      await writeConfig(layout, config);
      await rename(draft, this.folderOf(config.id));
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (isDiskFull(error)) throw new SandboxError('storage_full', 'the disk is full: no sandbox was made');
      const taken = errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST';
      if (!taken) throw error;
    }
    await syncFolder(this.#dir);
  }

  /** Gives a spare's folder to a sandbox, which is there whole from then on, or not at all. */
  async give(spare: string, config: SandboxConfig, { owner }: { readonly owner: string }): Promise<void> {
    const layout = layoutOf(this.folderOf(spare));
    await writeWhole(layout.owner, owner);
    await writeConfig(layout, config);
    const link = this.folderOf(config.id);
    await symlink(spare, link);
    try {
      await syncFolder(this.#dir);
    } catch (error) {
      await rm(link, { force: true });
      throw error;
    }
  }

  /** The names of the spares that were given to no sandbox. */
  async spares(): Promise<string[]> {
    const names = await readdir(this.#dir).catch(() => []);
    const given = await Promise.all(names.filter(isSandboxId).map((id) => this.#spareOf(id)));
    return names.filter((name) => isSpareName(name) && !given.includes(name));
  }

  /** Hides a sandbox from callers. A deletion that is cut short after this is finished by the next server. */
  async markDeleted(id: string): Promise<void> {
    await writeWhole(layoutOf(this.folderOf(id)).tombstone, '');
  }

  /** Removes the folder of a sandbox whose processes have all ended. */
  async remove(id: string): Promise<void> {
    const spare = await this.#spareOf(id);
    if (spare !== null) await removeTree(this.folderOf(spare));
    // The link goes last, so that a removal that is cut short is finished by the next start.
    await removeTree(this.folderOf(id));
  }

  /** The name of the spare that a sandbox began as; null where it did not. */
  async #spareOf(id: string): Promise<string | null> {
    const target = await readlink(this.folderOf(id)).catch(() => null);
    return target !== null && isSpareName(target) ? target : null;
  }

  /** The ids of all folders, also of those marked as deleted. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#dir).catch(() => []);
    return names.filter(isSandboxId).sort();
  }

  /** Removes what interrupted creations left behind. */
  async removeDrafts(now: number = Date.now()): Promise<void> {
    const names = await readdir(this.#dir).catch(() => []);
    for (const name of names.filter((candidate) => candidate.startsWith(DRAFT))) {
      const path = join(this.#dir, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && now - found.mtimeMs > DRAFT_AGE_MS)
        await rm(path, { recursive: true, force: true });
    }
  }
}

async function writeConfig(layout: SandboxLayout, config: SandboxConfig): Promise<void> {
  await writeWhole(layout.config, `${JSON.stringify(config, null, 2)}\n`);
}

async function makeComputerFolders(layout: SandboxLayout, config: SandboxConfig): Promise<void> {
  for (const [path, mode] of [
    [layout.workspace, 0o755],
    [layout.x11, 0o1777],
  ] as const) {
    await mkdir(path);
    if (config.agent_uid !== null) await chown(path, config.agent_uid, config.agent_uid);
    await chmod(path, mode);
  }
  await mkdir(layout.blobs, { mode: 0o700 });
  await syncFiles(writeEtcFiles(layout.etc));
}
