import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Packages } from '@steadyhand/contracts';
import { errorText } from '../../error-fields.ts';
import {
  type GuestStart,
  type IsolationBackend,
  AGENT_HOME,
  PACKAGES_INSIDE,
} from '../../isolation/backend.ts';
import { PackagesError } from '../../packages/errors.ts';
import { installPackages } from '../../packages/install.ts';
import { ensureLayer, hasPackages, isBuilt, layerOf } from '../../packages/layer.ts';
import { checkOverlay } from '../../packages/overlay.ts';
import { NO_PACKAGES } from '../../config.ts';
import { GuestClient } from './guest-client.ts';
import { GuestStderr } from './guest-stderr.ts';
import type { DaemonLog } from '../../daemon-log.ts';

/** How long a guest may take to start. */
const READY_MS = 20_000;

interface PackagesOptions {
  readonly backend: IsolationBackend;
  readonly start: GuestStart;
  readonly log: DaemonLog;
  /** Ends a running installation when it is aborted. */
  readonly signal: AbortSignal;
}

/** Whether packages have to be installed before the computer can start. */
export function awaitsPackages({ config, layout }: GuestStart): boolean {
  return hasPackages(config.packages) && !isBuilt(layerOf(layout.folder, config));
}

/**
 * The folder of the sandbox's packages, installed now if no sandbox has done so; null without any. Throws
 * PackagesError.
 */
export async function packagesFolder(options: PackagesOptions): Promise<string | null> {
  const { start, backend, log, signal } = options;
  const { config, layout } = start;
  if (!hasPackages(config.packages)) return null;
  if (backend.kind !== 'bubblewrap') {
    throw new PackagesError(`they are installed in sandboxes of kind bubblewrap, not ${backend.kind}`);
  }
  const layer = layerOf(layout.folder, config);
  if (!isBuilt(layer) && config.networking.type === 'none') {
    throw new PackagesError("networking is 'none', and they come over the network");
  }
  await ensureLayer(layer, signal, async (draft) => {
    const begun = performance.now();
    log.info('packages are being installed', { layer: layer.folder });
    const home = join(draft, 'home');
    await mkdir(home, { mode: 0o755 });
    if (layer.uid !== null) await chown(home, layer.uid, layer.uid);
    const of = { ...options, start: { ...start, config: { ...config, agent_uid: layer.uid } } };
    const { apt, ...others } = config.packages;
    if (apt.length > 0) await install(of, draft, 'debian', { ...NO_PACKAGES, apt });
    // The folder is made in any case: it is read-only to the code of other packages, which so cannot make one of its
    // own in its place.
    await mkdir(join(draft, 'root'), { recursive: true, mode: 0o755 });
    await checkOverlay(draft, layout.usr);
    const rest = { ...others, apt: [] };
    if (hasPackages(rest)) await install(of, draft, 'others', rest);
    await rm(home, { recursive: true, force: true });
    log.info('packages installed', { ms: Math.round(performance.now() - begun) });
  });
  return layer.folder;
}

/** Installs in a separate guest, which sees none of the agent's files and ends with the installation. */
async function install(
  { backend, start, log, signal }: PackagesOptions,
  draft: string,
  building: 'debian' | 'others',
  packages: Packages,
): Promise<void> {
  signal.throwIfAborted();
  const stderr = new GuestStderr((text) => log.error('packages', { stderr: text }));
  const guestStart = { ...start, packages: { folder: draft, building } };
  const { child, closed } = await backend.start(guestStart, stderr.accept);
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  const late = setTimeout(stop, READY_MS);
  try {
    const guest = new GuestClient({ input: child.stdout, output: child.stdin });
    await guest.ready;
    clearTimeout(late);
    await installPackages(guest, packages, { layer: PACKAGES_INSIDE, scratch: AGENT_HOME });
  } catch (error) {
    if (error instanceof PackagesError) throw error;
    throw new PackagesError(errorText(error), { cause: error });
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
    stop();
    await closed;
  }
}
