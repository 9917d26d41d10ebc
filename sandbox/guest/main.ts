import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DisplayService } from './display-service.ts';
import { relayEgress } from './egress-relay.ts';
import { createFileService } from './file-service.ts';
import { serveGuest } from './guest-service.ts';
import { endProcesses, markedProcesses } from '../process-tree.ts';
import { ShellService } from './shell/shell-service.ts';
import { createTreeService } from './tree/tree-service.ts';
import { VncService } from './vnc-service.ts';
import { adoptXServer, type ScreenSize } from './x-server.ts';

/**
 * The guest is our only process inside a sandbox. Its only argument is a JSON object of GuestOptions. Its daemon speaks
 * to it on standard input and output, and when those close, everything here ends.
 */
interface GuestOptions {
  /** The agent's home and working folder. */
  readonly home: string;
  /** Private folder for pipes. */
  readonly runtime: string;
  /** The user and group to switch to first, when the guest is started with the rights to. */
  readonly become?: { readonly uid: number; readonly gid: number };
  /** The X display's number. */
  readonly display: number;
  /** The size of a display that is to be started at once, or the pipe of its X server, which runs already. */
  readonly screen?: ScreenSize | { readonly descriptor: number };
  /**
   * True when no pid namespace ends what this process leaves behind. STEADYHAND_SANDBOX in the environment then marks
   * the processes.
   */
  readonly endAll: boolean;
  /** In-memory folders that have sizes of their own. */
  readonly sized?: readonly string[];
  /** The egress proxy's socket; without one there is no network. */
  readonly egress?: string;
  /**
   * Further certificate authorities, by their file, for the agent's programs and for what is fetched. Node reads such a file when it
   * starts, which takes nearly as long as all else of its start, so this process starts without it.
   */
  readonly authorities?: string;
}

async function main(options: GuestOptions): Promise<void> {
  if (options.become !== undefined) {
    // From here on no process inside is root, and the agent's processes cannot trace this one.
    process.setgroups?.([]);
    process.setgid?.(options.become.gid);
    process.setuid?.(options.become.uid);
  }
  process.umask(0o022);
  process.chdir(options.home);
  mkdirSync(options.runtime, { recursive: true, mode: 0o700 });
  const session = process.env['XDG_RUNTIME_DIR'];
  if (session !== undefined) mkdirSync(session, { recursive: true, mode: 0o700 });
  process.env['DISPLAY'] = `:${options.display}`;
  if (options.authorities !== undefined) process.env['NODE_EXTRA_CA_CERTS'] = options.authorities;
  const { display: number, screen } = options;
  const first =
    screen !== undefined && 'descriptor' in screen ? adoptXServer(number, screen.descriptor) : screen;
  const display = new DisplayService(number, first);
  const vnc = new VncService(options.display);
  const shell = new ShellService({
    folder: join(options.runtime, 'shell'),
    home: options.home,
    alone: !options.endAll,
    sized: options.sized ?? [],
  });
  const files = createFileService();
  process.stdout.on('error', () => undefined);
  if (options.egress !== undefined) await relayEgress(options.egress);
  const tree = createTreeService();
  await serveGuest({ files, tree, shell, display, vnc }, { input: process.stdin, output: process.stdout });
  if (options.endAll) {
    await vnc.stop();
    await display.stop();
    await endProcesses(() => markedProcesses(process.env['STEADYHAND_SANDBOX'] ?? ''), 0);
  }
  process.exit(0);
}

void main(JSON.parse(process.argv[2] ?? '{}') as GuestOptions);
