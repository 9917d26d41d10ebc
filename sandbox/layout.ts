import { join } from 'node:path';

/**
 * Where everything of one sandbox lies: one folder, mode 0700, of which only the workspace, the session's folder and what is
 * said to are seen from inside.
 */
export interface SandboxLayout {
  readonly folder: string;
  /** SandboxConfig as JSON; written once at creation. */
  readonly config: string;
  /** There while the sandbox is being deleted. */
  readonly tombstone: string;
  /** Why the last start failed, where a file of the sandbox's own is damaged. */
  readonly damaged: string;
  /** The keys of actions that were interrupted, a file each. */
  readonly interrupts: string;
  /** The agent's home; outlives the daemon. */
  readonly workspace: string;
  /** `/tmp/.X11-unix` inside. */
  readonly x11: string;
  /** `/mnt/session` inside. */
  readonly session: string;
  /** Read-only inside; only the daemon writes there. */
  readonly uploads: string;
  /** The agent's. */
  readonly outputs: string;
  /** Which files lie in `uploads`, by path and id, as JSON. */
  readonly mounted: string;
  /** Made-up files for `/etc` inside. */
  readonly etc: string;
  /** Where /usr with the layer of packages over it is mounted, seen by the sandbox alone. */
  readonly usr: string;
  /** The desktop's configuration, read-only inside. */
  readonly desktop: string;
  readonly ledger: string;
  /** The ledger written anew while it is compacted. */
  readonly ledgerDraft: string;
  /** What `undo_edit` goes back to. */
  readonly undo: string;
  /** Frees room for an outcome when the disk is full. */
  readonly reserve: string;
  /** Pictures of outcomes, named by their SHA-256. */
  readonly blobs: string;
  readonly log: string;
  /** The folder of the egress proxy's socket, all of which is seen inside. */
  readonly egress: string;
  /** The log of the egress proxy. */
  readonly networkLog: string;
  /** The newest takeover by a person, and what was done in it. */
  readonly takeover: string;
  readonly takeoverInputs: string;
  /** Videos of the screen. */
  readonly recordings: string;
  /** Snapshots of the workspace where the sandbox has its machine for itself; elsewhere they lie beside the sandboxes. */
  readonly snapshots: string;
}

/** The egress proxy's socket in its folder. */
export const EGRESS_SOCKET = 'proxy.sock';

export function layoutOf(folder: string): SandboxLayout {
  return {
    folder,
    config: join(folder, 'sandbox.json'),
    tombstone: join(folder, 'deleted'),
    damaged: join(folder, 'damaged.json'),
    interrupts: join(folder, 'interrupts'),
    workspace: join(folder, 'workspace'),
    x11: join(folder, 'x11'),
    session: join(folder, 'session'),
    uploads: join(folder, 'session', 'uploads'),
    outputs: join(folder, 'session', 'outputs'),
    mounted: join(folder, 'mounted.json'),
    etc: join(folder, 'etc'),
    usr: join(folder, 'usr'),
    desktop: join(folder, 'desktop'),
    ledger: join(folder, 'ledger'),
    ledgerDraft: join(folder, 'ledger.compact'),
    undo: join(folder, 'undo'),
    reserve: join(folder, 'ledger.reserve'),
    blobs: join(folder, 'blobs'),
    log: join(folder, 'daemon.log'),
    egress: join(folder, 'egress'),
    networkLog: join(folder, 'network.log'),
    takeover: join(folder, 'takeover.json'),
    takeoverInputs: join(folder, 'takeover-inputs.jsonl'),
    recordings: join(folder, 'recordings'),
    snapshots: join(folder, 'snapshots'),
  };
}
