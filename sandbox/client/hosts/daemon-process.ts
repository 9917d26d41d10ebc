import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { EgressSettings } from '../../egress/policy.ts';
import { EGRESS_VARIABLE, UPSTREAM_VARIABLES } from '../../egress/settings.ts';
import { layoutOf } from '../../layout.ts';
import type { DaemonTask } from '../../daemon/daemon-task.ts';
import { processEnd } from '../../process-end.ts';

/** The variables of this process's environment that a daemon may see; keys and tokens are not passed on. */
const PASSED_ON = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'APT_CONFIG',
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'NPM_CONFIG_REGISTRY',
  'npm_config_registry',
  ...UPSTREAM_VARIABLES,
];

/** `died` means that the daemon ended without a message, e.g. was killed; another attempt may succeed. */
type DaemonStart =
  | 'ready'
  | 'taken'
  | { readonly failed: string }
  /** A file of the sandbox is damaged. */
  | { readonly damaged: string }
  | { readonly died: string };

/** How the daemons of a host are started. */
export interface DaemonProgram {
  readonly nodePath: string;
  readonly daemonEntry: string;
  readonly egress: EgressSettings;
}

/** Starts the daemon of a sandbox. Resolves when it serves, or with the reason why it does not. */
export async function startDaemon(options: DaemonProgram & DaemonTask): Promise<DaemonStart> {
  const child = spawnDaemon(options);
  const ended = processEnd(child);
  const word = await firstLine(child, ended);
  if (word === 'ready' || word === 'taken') {
    child.unref();
    return word;
  }
  // One that has said why it ends is still there for a moment, in which others would take it for one that starts.
  if (child.pid !== undefined) await ended;
  const [, kind, reason] = /^(failed|damaged) (.*)/.exec(word) ?? [];
  if (reason === undefined) return { died: word };
  return kind === 'damaged' ? { damaged: reason } : { failed: reason };
}

/** Starts the process of a daemon, which outlives this one. */
function spawnDaemon({
  nodePath,
  daemonEntry,
  egress,
  folder,
  guestEntry,
  place,
}: DaemonProgram & DaemonTask): ChildProcess {
  const log = openSync(layoutOf(folder).log, 'a', 0o600);
  const args = [daemonEntry, folder, guestEntry, ...(place === undefined ? [] : [JSON.stringify(place)])];
  try {
    return spawn(nodePath, args, {
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log, 'pipe'],
      env: {
        ...Object.fromEntries(
          PASSED_ON.flatMap((name) => {
            const value = process.env[name];
            return value === undefined ? [] : [[name, value]];
          }),
        ),
        [EGRESS_VARIABLE]: JSON.stringify(egress),
        // With io_uring, Node 20.3.0 sometimes reports a write to a full disk as done; later versions do not use it.
        UV_USE_IO_URING: '0',
      },
    });
  } finally {
    closeSync(log);
  }
}

function firstLine(child: ChildProcess, ended: ReturnType<typeof processEnd>): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const pipe = child.stdio[3] as Readable;
    pipe.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const end = text.indexOf('\n');
      if (end < 0) return;
      pipe.destroy();
      resolve(text.slice(0, end));
    });
    child.once('error', (error) => resolve(`failed ${error.message}`));
    void ended.then(({ code, signal }) => resolve(`its daemon ended as it started (${signal ?? code})`));
  });
}
