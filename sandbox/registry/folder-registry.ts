import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type SandboxConfig, readConfig } from '../config.ts';
import { isSandboxId, SandboxFolders } from '../folders/sandbox-folders.ts';
import { unlessDamaged } from '../record-file.ts';
import { SerialQueue } from '../serial-queue.ts';
import { damageOf, forgetDamage, isInterrupted, markInterrupted, noteDamage } from './damage-note.ts';
import { choosePlace } from './choose-place.ts';
import { LineFolder } from './line-folder.ts';
import { lostReason, noteLost } from './lost-note.ts';
import { MachineFolder } from './machine-folder.ts';
import { ownerOf } from './owner-file.ts';
import { followPlacement, readPlacement } from './placement-file.ts';
import type {
  FoundPlacement,
  KnownMachine,
  PlaceAnswer,
  Placement,
  PlaceRequest,
  SandboxRecord,
  SandboxRegistry,
} from './registry.ts';

/**
 * The records in one data folder: of a sandbox in its folder, of machines below `.pool`, of the line below `.line`.
 * Several processes of one machine may use it at once.
 */
export class FolderRegistry implements SandboxRegistry {
  readonly #dir: string;
  readonly #folders: SandboxFolders;
  readonly #machines: MachineFolder;
  readonly #line: LineFolder;
  /** Two processes may still choose the same place; the machine then refuses one of them. */
  readonly #queue = new SerialQueue();

  constructor(dir: string) {
    this.#dir = dir;
    this.#folders = new SandboxFolders(dir);
    this.#machines = new MachineFolder(join(dir, '.pool'));
    this.#line = new LineFolder(join(dir, '.line'));
  }

  async owner(): Promise<string> {
    return ownerOf(this.#dir);
  }

  add(config: SandboxConfig): Promise<void> {
    return this.#folders.make(config, { elsewhere: true });
  }

  async find(id: string): Promise<SandboxRecord | null> {
    const folder = this.#folders.folderOf(id);
    const config = readConfig(folder);
    if (config === null) return null;
    return {
      config,
      placement: readPlacement(folder),
      deleted: await this.#folders.isMarkedDeleted(id),
      lost: lostReason(folder),
      damage: damageOf(folder),
    };
  }

  async has(id: string): Promise<boolean> {
    return isSandboxId(id) && existsSync(this.#folders.folderOf(id));
  }

  async placement(id: string): Promise<FoundPlacement | null> {
    return readPlacement(this.#folders.folderOf(id));
  }

  ids(): Promise<readonly string[]> {
    return this.#folders.ids();
  }

  markDeleted(id: string): Promise<void> {
    return this.#folders.markDeleted(id);
  }

  async remove(id: string): Promise<void> {
    this.#line.leave(id);
    await this.#folders.remove(id);
  }

  async noteDamage(id: string, reason: string | null): Promise<void> {
    const folder = this.#folders.folderOf(id);
    if (reason === null) forgetDamage(folder);
    else await noteDamage(folder, reason);
  }

  async markLost(id: string, placement: FoundPlacement, reason: string): Promise<boolean> {
    const folder = this.#folders.folderOf(id);
    if (readPlacement(folder)?.number !== placement.number) return false;
    await noteLost(folder, reason);
    return true;
  }

  markInterrupted(id: string, key: string): Promise<void> {
    return markInterrupted(this.#folders.folderOf(id), key);
  }

  async isInterrupted(id: string, key: string): Promise<boolean> {
    return isInterrupted(this.#folders.folderOf(id), key);
  }

  follow(id: string, before: FoundPlacement | null, placement: Placement): Promise<FoundPlacement | null> {
    return followPlacement(this.#folders.folderOf(id), before, placement);
  }

  takePlace({ sandbox, before, refused, awayMs }: PlaceRequest): Promise<PlaceAnswer> {
    return this.#queue.run(async () => {
      const record = await this.find(sandbox);
      const isChanged = (record?.placement?.number ?? 0) !== (before?.number ?? 0);
      if (record === null || record.deleted || isChanged) {
        this.#line.leave(sandbox);
        return { type: 'changed' };
      }
      const ahead = this.#line.join(sandbox);
      const machines = this.#machines.all().filter(({ silentMs }) => silentMs < awayMs);
      const placed = await this.#placed(sandbox);
      const chosen = choosePlace({ machines, placed, owner: await this.owner(), refused, ahead });
      if (chosen === null) return { type: 'waiting', ahead };
      const placement = await this.follow(sandbox, before, { machine: chosen, held: false });
      this.#line.leave(sandbox);
      return placement === null ? { type: 'changed' } : { type: 'placed', placement };
    });
  }

  async leaveLine(sandbox: string): Promise<void> {
    this.#line.leave(sandbox);
  }

  async waiting(): Promise<number> {
    return this.#line.length;
  }

  async lost(): Promise<number> {
    const ids = await this.ids();
    return ids.filter((id) =>
      unlessDamaged(
        () => lostReason(this.#folders.folderOf(id)) !== null,
        () => false,
      ),
    ).length;
  }

  async putMachine(machine: Omit<KnownMachine, 'seen' | 'silentMs'>): Promise<void> {
    this.#machines.put(machine);
  }

  async machine(member: string): Promise<KnownMachine | null> {
    return this.#machines.find(member);
  }

  async machines(): Promise<readonly KnownMachine[]> {
    return this.#machines.all();
  }

  async removeMachine(member: string): Promise<void> {
    this.#machines.remove(member);
  }

  /** The sandboxes on each machine, but for one sandbox and those that are lost. */
  async #placed(except: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const placed = new Map<string, Set<string>>();
    for (const id of await this.ids()) {
      if (id === except) continue;
      const folder = this.#folders.folderOf(id);
      const machine = unlessDamaged(
        () => (lostReason(folder) === null ? readPlacement(folder)?.machine : undefined),
        () => undefined,
      );
      if (machine === undefined) continue;
      placed.set(machine, (placed.get(machine) ?? new Set()).add(id));
    }
    return placed;
  }
}
