import { join } from 'node:path';

/**
 * The paths of one sandbox, all in one folder of mode 0700. Only the workspace, the session's folder and the paths that
 * say so below can be seen from inside.
 */
export interface SandboxLayout {
  readonly folder: string;
  /** SandboxConfig as JSON; written once at creation. */
  readonly config: string;
  /** Names the installation whose sandbox it is, on a pool machine. */
  readonly owner: string;
  /** The description of the snapshot that the sandbox began with, once its files are in place. */
  readonly begun: string;
  /** This file exists while the sandbox is being deleted. */
  readonly tombstone: string;
  /** Says why the last start failed, when the reason was a damaged file. */
  readonly damaged: string;
  /** Says why the sandbox's machine was given up. */
  readonly lost: string;
  /** Holds a file for the key of each interrupted action. */
  readonly interrupts: string;
  /** The agent's home. It outlives the daemon. */
  readonly workspace: string;
  /** This is `/tmp/.X11-unix` inside. */
  readonly x11: string;
  /** This is `/mnt/session` inside. */
  readonly session: string;
  /** It is read-only inside; only the daemon writes there. */
  readonly uploads: string;
  /** The agent writes its results here. */
  readonly outputs: string;
  /** Which files lie in `uploads`, by path and id, as JSON. */
  readonly mounted: string;
  /** The files that replace those of `/etc` inside. */
  readonly etc: string;
  /** The mount point of /usr with the layer of packages over it, which only the sandbox sees. */
  readonly usr: string;
  /** The desktop's configuration. It is read-only inside. */
  readonly desktop: string;
  readonly ledger: string;
  /** The new ledger while a compaction writes it. */
  readonly ledgerDraft: string;
  /** The former contents of files, for `undo_edit`. */
  readonly undo: string;
  /** Removing this file frees room for an outcome when the disk is full. */
  readonly reserve: string;
  /** Pictures of outcomes, named by their SHA-256. */
  readonly blobs: string;
  readonly log: string;
  /** The folder of the egress proxy's socket. All of it can be seen inside. */
  readonly egress: string;
  /** The request log of the egress proxy. */
  readonly networkLog: string;
  /** The newest takeover by a person. */
  readonly takeover: string;
  readonly takeoverInputs: string;
  /** Screen recordings. */
  readonly recordings: string;
  /** Snapshots of the workspace when the sandbox has a machine to itself; otherwise they lie beside the sandboxes. */
  readonly snapshots: string;
}

/** The name of the egress proxy's socket in its folder. */
export const EGRESS_SOCKET = 'proxy.sock';

export function layoutOf(folder: string): SandboxLayout {
  return {
    folder,
    config: join(folder, 'sandbox.json'),
    owner: join(folder, 'owner'),
    begun: join(folder, 'begun.json'),
    tombstone: join(folder, 'deleted'),
    damaged: join(folder, 'damaged.json'),
    lost: join(folder, 'lost.json'),
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
