import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { EgressSettings } from '../../egress/policy.ts';
import { EGRESS_VARIABLE, UPSTREAM_VARIABLES } from '../../egress/settings.ts';
import { layoutOf } from '../../layout.ts';
import type { DaemonTask } from '../../daemon/daemon-task.ts';
import { processEnd } from '../../process-end.ts';
import type { SpareDaemons } from './spare-daemons.ts';

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

/** Starts the process of a daemon, which outlives this one. Its descriptor 3 has to be a pipe. */
export function spawnDaemon(
  { nodePath, daemonEntry, egress }: DaemonProgram,
  args: readonly string[],
  { cwd, stdio }: { readonly cwd?: string; readonly stdio: StdioOptions },
): ChildProcess {
  return spawn(nodePath, [daemonEntry, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    detached: true,
    stdio,
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
}

/** Starts the daemon of a sandbox, by a spare one where there is any. Resolves when it serves, or with the reason why it does not. */
export async function startDaemon({
  spares,
  ...options
}: DaemonProgram & DaemonTask & { readonly spares?: SpareDaemons | undefined }): Promise<DaemonStart> {
  const child = spares?.take(options) ?? spawnFor(options);
  const word = await firstLine(child);
  child.unref();
  if (word === 'ready' || word === 'taken') return word;
  const [, kind, reason] = /^(failed|damaged) (.*)/.exec(word) ?? [];
  if (reason === undefined) return { died: word };
  return kind === 'damaged' ? { damaged: reason } : { failed: reason };
}

function spawnFor({ folder, guestEntry, place, ...program }: DaemonProgram & DaemonTask): ChildProcess {
  const log = openSync(layoutOf(folder).log, 'a', 0o600);
  try {
    return spawnDaemon(
      program,
      [folder, guestEntry, ...(place === undefined ? [] : [JSON.stringify(place)])],
      { cwd: folder, stdio: ['ignore', log, log, 'pipe'] },
    );
  } finally {
    closeSync(log);
  }
}

function firstLine(child: ChildProcess): Promise<string> {
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
    void processEnd(child).then(({ code, signal }) =>
      resolve(`its daemon ended as it started (${signal ?? code})`),
    );
  });
}
