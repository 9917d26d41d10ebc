import { dirname, join } from 'node:path';
import {
  type ActionOutcome,
  type ActionRequest,
  type ActiveWindow,
  SandboxError,
  type SnapshotInfo,
} from '@steadyhand/contracts';
import { invalidRequest } from '../invalid-request.ts';
import type { DaemonHealth } from '../daemon-health.ts';
import type { SandboxConfig } from '../config.ts';
import type { Display } from '../display/display.ts';
import type { GuestStart } from '../isolation/backend.ts';
import { backendOf } from '../isolation/backends.ts';
import { LimitEvents } from '../isolation/limits/limit-events.ts';
import { isSpareName } from '../folders/sandbox-folders.ts';
import { layoutOf } from '../layout.ts';
import type { EditHistory } from '../tools/editor/history.ts';
import { ActionQueue } from './actions/action-queue.ts';
import type { ActionTimes } from './actions/action-times.ts';
import { type Egress, type EgressWay, openEgress } from './egress.ts';
import { startComputer } from './computer/computer.ts';
import { ComputerSupervisor } from './computer/computer-supervisor.ts';
import type { GuestClient } from './computer/guest-client.ts';
import { HistoryFolder } from './computer/history-folder.ts';
import { Ledger } from './ledger/ledger.ts';
import { awaitsPackages, packagesFolder } from './computer/packages.ts';
import { DiskWatch } from './disk-limit/disk-watch.ts';
import { bytesHeldOpen } from './disk-limit/held-open.ts';
import type { DaemonLog } from '../daemon-log.ts';
import type { RequestLog } from '../egress/request-log.ts';
import { ScreenRecorder } from './recording/screen-recorder.ts';
import { Takeovers } from './watching/takeovers.ts';
import { Viewers } from './watching/viewers.ts';
import { MountedFiles } from './computer/mounted-files.ts';
import { finishRestore, workspacePath, prepareRestore } from '../snapshots/restore.ts';
import { isSnapshotInfo, Snapshots } from '../snapshots/snapshots.ts';
import { readRecord } from '../record-file.ts';
import { removeDrafts, writeWhole } from '../whole-file.ts';

/** What is being written now, by this process or by the one of the server, is younger. */
const DRAFT_AGE_MS = 60 * 60 * 1000;

interface DaemonOptions {
  readonly folder: string;
  readonly config: SandboxConfig;
  readonly nodePath: string;
  readonly guestEntry: string;
  readonly log: DaemonLog;
  /** Default: `direct`. */
  readonly egressWay?: EgressWay;
  /** The folder of the snapshots. Default: one beside the sandboxes that all of them share. */
  readonly snapshots?: string;
  /** Called once, when everything inside has ended. */
  readonly onShutdown: () => void;
}

/** One sandbox: its computer, its ledger and the queue of its actions. */
export class Daemon {
  readonly #options: DaemonOptions;
  #id: string;
  readonly #ledger: Ledger;
  readonly #egress: Egress;
  readonly #diskWatch: DiskWatch | null;
  readonly #supervisor: ComputerSupervisor;
  readonly #actions: ActionQueue;
  readonly takeovers: Takeovers;
  readonly viewers: Viewers;
  readonly recording: ScreenRecorder;
  readonly #ending = new AbortController();
  /** The files that callers have mounted below `/mnt/session/uploads`. */
  readonly mounted: MountedFiles;
  readonly snapshots: Snapshots;
  #shutdown: Promise<void> | null = null;

  /** Opens the ledger and starts the computer; rejects when either fails. */
  static async start(options: DaemonOptions): Promise<Daemon> {
    await finishRestore(layoutOf(options.folder));
    await removeDrafts(options.folder, DRAFT_AGE_MS);
    const ledger = await Ledger.open(layoutOf(options.folder));
    let egress: Egress | null = null;
    try {
      egress = await openEgress(options.folder, options.config, options.egressWay);
      const history = await HistoryFolder.open(layoutOf(options.folder).undo);
      const daemon = new Daemon(options, ledger, egress, history);
      const running = daemon.#supervisor.running();
      // An installation takes minutes. The first action waits for it, the creation of the sandbox does not.
      if (awaitsPackages(startOf(options))) running.catch(() => undefined);
      else await running;
      return daemon;
    } catch (error) {
      egress?.close();
      await ledger.close();
      throw error;
    }
  }

  private constructor(options: DaemonOptions, ledger: Ledger, egress: Egress, history: EditHistory) {
    const { config, folder, log } = options;
    this.#options = options;
    this.#id = config.id;
    this.#ledger = ledger;
    this.#egress = egress;
    this.mounted = new MountedFiles(layoutOf(folder));
    this.snapshots = new Snapshots(options.snapshots ?? join(dirname(folder), 'snapshots'));
    const backend = backendOf(config, layoutOf(folder));
    const first = startOf(options);
    const limits = new LimitEvents({ ...config, folder });
    this.#supervisor = new ComputerSupervisor({
      compat: config.compat,
      bashTimeoutMs: config.bash_timeout_ms,
      limitsHit: () => limits.take(),
      restarted: ledger.formerBoots > 0,
      start: async () => {
        const packages = await packagesFolder({ backend, start: first, log, signal: this.#ending.signal });
        const start = packages === null ? first : { ...first, packages: { folder: packages } };
        const computer = await startComputer({ backend, start, history, log });
        // Without room for this record the computer runs all the same; only the next daemon's notice will be missing.
        await ledger
          .boot(computer.boot)
          .catch((error: unknown) => log.error('ledger', { error: String(error) }));
        log.info('computer started', { boot: computer.boot });
        void computer.gone.then(() => log.info('computer ended', { boot: computer.boot }));
        return computer;
      },
    });
    this.#actions = new ActionQueue(ledger, this.#supervisor);
    this.#diskWatch = this.#watchDisk();
    const { takeover: state, takeoverInputs: inputs } = layoutOf(folder);
    this.takeovers = new Takeovers({ files: { state, inputs }, actions: this.#actions });
    this.viewers = new Viewers({ supervisor: this.#supervisor, takeovers: this.takeovers, log });
    this.recording = new ScreenRecorder({
      folder: layoutOf(folder).recordings,
      display: () => this.#supervisor.current?.display.state ?? null,
      log,
    });
  }

  perform(request: ActionRequest, times?: ActionTimes): Promise<ActionOutcome> {
    this.#diskWatch?.wake();
    return this.#actions.perform(request, times);
  }

  knows(key: string): Promise<boolean> {
    return this.#actions.knows(key);
  }

  interrupt(key: string): boolean {
    return this.#actions.interrupt(key);
  }

  /** The screen as it is now, as PNG bytes. Waits for no action. */
  async screenshot(): Promise<Uint8Array> {
    return (await this.#display()).capture();
  }

  /** The window that has the keyboard, or null. Waits for no action. */
  async activeWindow(): Promise<ActiveWindow | null> {
    return (await this.#display()).activeWindow();
  }

  /** The guest of the computer, which is started when it does not run. Waits for no action. */
  async guest(): Promise<GuestClient> {
    return (await this.#supervisor.running()).guest;
  }

  /** Takes a snapshot of the workspace between two actions. For an id that exists, returns that snapshot. */
  async snapshot(id: string): Promise<SnapshotInfo> {
    const { folder } = this.#options;
    const workspace = await workspacePath(layoutOf(folder));
    return this.#actions.between(() => this.snapshots.take(id, this.#id, workspace));
  }

  /**
   * Restores a snapshot and starts the computer anew. Throws SandboxError `conflict` while an action runs or waits. With
   * `first` the sandbox begins with it: what has begun with one stays as it is.
   */
  async restore(id: string, { first }: { readonly first: boolean }): Promise<SnapshotInfo> {
    const { config, folder } = this.#options;
    const { begun } = layoutOf(folder);
    const before = first ? readRecord(begun, isSnapshotInfo) : null;
    if (before !== null) return before;
    const info = await this.snapshots.find(id);
    if (info === null) throw new SandboxError('not_found', `snapshot ${id} does not exist`);
    if (info.status === 'failed') throw invalidRequest(`snapshot ${id}: ${info.reason}`);
    if (this.#actions.pending.length > 0) throw new SandboxError('conflict', 'an action is under way');
    await this.#actions.between(async () => {
      await prepareRestore(layoutOf(folder), this.snapshots, id, config.agent_uid);
      await this.#supervisor.restoreWith(() => finishRestore(layoutOf(folder)));
      await this.#supervisor.running();
    });
    if (first) await writeWhole(begun, JSON.stringify(info));
    return info;
  }

  /** The request log of the egress proxy. */
  get networkLog(): RequestLog {
    return this.#egress.log;
  }

  /** The lines of servers that make the sandbox's connections; null when no server makes them. */
  get egressLines(): Egress['lines'] {
    return this.#egress.lines;
  }

  health(): DaemonHealth {
    const computer = this.#supervisor.current;
    const display = computer?.display.state ?? { unavailable: 'not started' };
    const available = 'display' in display;
    return {
      id: this.#id,
      pid: process.pid,
      boot: computer?.boot ?? null,
      isolation: this.#options.config.isolation,
      display: available ? { available } : { available, reason: display.unavailable },
      pending: this.#actions.pending,
    };
  }

  /** Gives a spare's computer to the sandbox of that id. Throws SandboxError `conflict` where it has one. */
  assign(id: string): DaemonHealth {
    if (!isSpareName(this.#id)) throw new SandboxError('conflict', `the daemon is that of ${this.#id}`);
    this.#id = id;
    this.#supervisor.forgetPast();
    this.#options.log.info('assigned', { id });
    return this.health();
  }

  /** Stops the running action, waits until its outcome is recorded, and ends the computer. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#end();
    return this.#shutdown;
  }

  async #display(): Promise<Display> {
    const state = await (await this.#supervisor.running()).display.open();
    if ('unavailable' in state) throw new Error(`this computer has no display: ${state.unavailable}`);
    return state.display;
  }

  #watchDisk(): DiskWatch | null {
    const { config, folder, log } = this.#options;
    const { disk_mib: limitMib, files: limitFiles } = config.limits;
    if (limitMib === null && limitFiles === null) return null;
    const { workspace, outputs, x11 } = layoutOf(folder);
    // These are all folders of the machine's disk that the agent can write to.
    const folders = [workspace, outputs, x11] as const;
    const owner = config.agent_uid ?? process.getuid?.() ?? 0;
    return new DiskWatch({
      folders,
      limitMib,
      limitFiles,
      heldOpen: () => bytesHeldOpen(this.#supervisor.current?.processes() ?? [], folders, owner),
      onFull: (reason) => {
        log.error('workspace full', { reason });
        return this.#supervisor.end(`They were ended because ${reason}`);
      },
    });
  }

  async #end(): Promise<void> {
    this.#ending.abort(new Error('the sandbox is shutting down'));
    for (const key of this.#actions.pending) this.#actions.interrupt(key);
    await this.#actions.idle();
    this.#diskWatch?.close();
    await this.recording.close();
    await this.#supervisor.stop();
    this.#egress.close();
    await this.#ledger.close();
    this.#options.onShutdown();
  }
}

function startOf({ config, folder, nodePath, guestEntry }: DaemonOptions): GuestStart {
  return { config, layout: layoutOf(folder), nodePath, guestEntry };
}
