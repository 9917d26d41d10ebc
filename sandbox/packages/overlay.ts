import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../find-program.ts';
import { PackagesError } from './errors.ts';

/**
 * The system's own /usr comes first: a layer adds files and replaces none. The process that starts a sandbox still has
 * rights that the agent has not, and nothing from a package may be loaded into it. The arguments are paths and
 * programs.
 */
const MOUNT =
  'cd "$1" && "$2" -t overlay overlay -o ro,lowerdir=/usr:usr "$3" && shift 3 && cd / && exec "$@"';
/** Entries of a package's /etc that must not apply before the agent's rights are all that is left. */
const NOT_TAKEN = ['ld.so.preload', 'ld.so.conf', 'ld.so.conf.d', 'environment', 'apt'];

/**
 * Returns the command prefix that makes a program see /usr with the layer's files at `place`. It uses a mount namespace
 * of its own, so that nothing of it is seen elsewhere or left behind. It is empty for a layer without Debian packages.
 */
export function overlayCommand(layer: string, place: string): readonly string[] {
  const root = join(layer, 'root');
  if (!isFolder(join(root, 'usr'))) return [];
  mkdirSync(place, { recursive: true, mode: 0o755 });
  const unshare = findProgram('unshare') ?? '/usr/bin/unshare';
  const mount = findProgram('mount') ?? '/usr/bin/mount';
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const own = [unshare, ...user, '--mount', '--propagation', 'private'];
  return [...own, '/bin/sh', '-c', MOUNT, 'overlay', root, mount, place];
}

/**
 * bubblewrap's arguments for entries of /etc that the layer's packages bring and the machine lacks. Links are left out,
 * because they would be followed here, to files of the machine.
 */
export function layerEtc(layer: string): readonly string[] {
  const etc = join(layer, 'root/etc');
  if (!isFolder(etc)) return [];
  return readdirSync(etc, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !NOT_TAKEN.includes(name) && !existsSync(join('/etc', name)))
    .flatMap((name) => ['--ro-bind', join(etc, name), join('/etc', name)]);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Throws PackagesError where this machine does not allow such a mount. */
export async function checkOverlay(layer: string, place: string): Promise<void> {
  const [program, ...args] = overlayCommand(layer, place);
  if (program === undefined) return;
  try {
    await promisify(execFile)(program, [...args, '/bin/true'], { timeout: 20_000 });
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new PackagesError(
      `apt: this machine does not let their files be mounted over /usr (${stderr.trim() || String(error)}); ` +
        'install them on the machine itself',
    );
  }
}
