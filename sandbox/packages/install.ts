import type { Packages } from '@steadyhand/contracts';
import type { Guest, RunResult } from '../guest-protocol/guest.ts';
import { PackagesError } from './errors.ts';

/** The time limit of all managers together. */
const LIMIT_MS = 10 * 60_000;
const KEPT = 1_500;

/** The paths of a layer inside. Each manager has a folder of its own below. */
interface LayerPaths {
  /** The layer's folder as seen inside. */
  readonly layer: string;
  /** A temporary folder for the installation. */
  readonly scratch: string;
}

/** How one manager installs, as programs with their arguments. Each runs after the previous one has succeeded. */
interface Manager {
  readonly program: string;
  readonly debian: string;
  readonly steps: (names: readonly string[], paths: LayerPaths) => readonly Step[];
}

interface Step {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A failure of this step does not end the installation: what is missing shows in the next step. */
  readonly optional?: true;
}

/**
 * Debian packages are unpacked and not configured, because nobody inside is root. bash only loops over files here;
 * names of packages are passed as arguments everywhere.
 */
const UNPACK = `set -e
mkdir -p "$2"
for deb in "$1"/*.deb; do test -e "$deb" || continue; dpkg-deb -x "$deb" "$2"; done
cd "$2"
for folder in bin sbin lib lib32 lib64 libx32; do
  test -d "$folder" && test ! -L "$folder" || continue
  mkdir -p "usr/$folder"; cp -a "$folder/." "usr/$folder/"; rm -rf "$folder"
done
# Nobody gains a right by what lies here.
find . -type f -perm /6000 -exec chmod ug-s {} +
schemas=usr/share/glib-2.0/schemas
if test -d "$schemas" && command -v glib-compile-schemas >/dev/null; then
  mkdir -p "$3/schemas"; cp /usr/share/glib-2.0/schemas/*.xml "$schemas"/*.xml "$3/schemas" 2>/dev/null || true
  glib-compile-schemas --targetdir="$schemas" "$3/schemas" 2>/dev/null || true
fi`;

const MANAGERS: Readonly<Record<keyof Packages, Manager>> = {
  apt: {
    program: 'apt-get',
    debian: 'apt',
    steps: (names, { layer, scratch }) => [
      { argv: ['/bin/mkdir', '-p', `${scratch}/archives/partial`] },
      { argv: ['apt-get', '-q', 'update'], optional: true },
      {
        argv: [
          'apt-get',
          '-qq',
          '--yes',
          '--no-install-recommends',
          '--download-only',
          '-o',
          `Dir::Cache::archives=${scratch}/archives`,
          'install',
          '--',
          ...names,
        ],
      },
      { argv: ['/bin/bash', '-c', UNPACK, 'unpack', `${scratch}/archives`, `${layer}/root`, scratch] },
    ],
  },
  pip: {
    program: 'pip3',
    debian: 'python3-pip',
    steps: (names, { layer }) => [
      {
        argv: [
          'pip3',
          'install',
          '--no-input',
          '--disable-pip-version-check',
          '--no-cache-dir',
          '--no-warn-script-location',
          '--target',
          `${layer}/python`,
          '--',
          ...names,
        ],
      },
    ],
  },
  npm: {
    program: 'npm',
    debian: 'npm',
    steps: (names, { layer, scratch }) => [
      {
        argv: [
          'npm',
          'install',
          '--global',
          '--no-audit',
          '--no-fund',
          '--no-update-notifier',
          '--',
          ...names,
        ],
        env: { NPM_CONFIG_PREFIX: `${layer}/npm`, NPM_CONFIG_CACHE: `${scratch}/npm` },
      },
    ],
  },
  cargo: {
    program: 'cargo',
    debian: 'cargo',
    steps: (names, { layer, scratch }) => [
      {
        argv: ['cargo', 'install', '--root', `${layer}/cargo`, '--', ...names],
        env: { CARGO_HOME: `${scratch}/cargo`, CARGO_TARGET_DIR: `${scratch}/cargo-target` },
      },
    ],
  },
  gem: {
    program: 'gem',
    debian: 'ruby',
    steps: (names, { layer }) =>
      names.map((name) => {
        const [gem = name, version] = name.split(':');
        const folders = ['--install-dir', `${layer}/gem`, '--bindir', `${layer}/gem/bin`];
        const wanted = version === undefined ? [] : ['--version', version];
        return { argv: ['gem', 'install', '--no-document', ...folders, ...wanted, gem] };
      }),
  },
  go: {
    program: 'go',
    debian: 'golang-go',
    steps: (names, { layer, scratch }) =>
      names.map((name) => ({
        argv: ['go', 'install', name.includes('@') ? name : `${name}@latest`],
        env: {
          GOBIN: `${layer}/go/bin`,
          GOPATH: `${scratch}/go`,
          GOCACHE: `${scratch}/go-cache`,
          GOFLAGS: '-modcacherw',
          GOTOOLCHAIN: 'local',
        },
      })),
  },
};

/** Debian packages come first, because the others may need them. */
const ORDER = ['apt', 'pip', 'npm', 'cargo', 'gem', 'go'] as const;

/**
 * Installs the lists into the layer that `guest` has at `paths.layer`. Throws PackagesError that names manager and
 * reason.
 */
export async function installPackages(
  guest: Pick<Guest, 'run'>,
  packages: Packages,
  paths: LayerPaths,
  limitMs: number = LIMIT_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (const name of ORDER) {
    const names = packages[name];
    if (names.length === 0) continue;
    const { program, debian, steps } = MANAGERS[name];
    const found = await guest.run(['/bin/bash', '-c', 'command -v "$1"', 'find', program]);
    if (found.code !== 0) {
      throw new PackagesError(
        `${name}: ${program} is not installed on this machine (Debian package ${debian})`,
      );
    }
    for (const { argv, env = {}, optional } of steps(names, paths)) {
      const timeoutMs = Math.max(1, deadline - performance.now());
      const result = await guest.run(argv, {
        timeoutMs,
        env: { ...env, HOME: paths.scratch },
        cwd: paths.scratch,
      });
      if (result.timedOut)
        throw new PackagesError(`${name}: not done in ${Math.round(limitMs / 60_000)} minutes`);
      if (result.code !== 0 && optional !== true) throw new PackagesError(`${name}: ${complaintOf(result)}`);
    }
  }
}

/** Returns the end of a program's output, where programs say why they stop. */
function complaintOf({ code, stdout, stderr }: RunResult): string {
  const said = [stderr, stdout].map((bytes) => Buffer.from(bytes).toString('utf8').trim());
  const text = said.find((part) => part !== '') ?? '';
  return text === '' ? `ended with code ${code}` : text.slice(-KEPT);
}

/**
 * The environment in which programs find a layer's packages; `layer` is its path inside. The layer's programs come
 * first on PATH.
 */
export function layerEnvironment(layer: string): {
  readonly env: Readonly<Record<string, string>>;
  readonly path: string;
} {
  return {
    env: {
      PYTHONPATH: `${layer}/python`,
      NODE_PATH: `${layer}/npm/lib/node_modules`,
      GEM_PATH: `${layer}/gem:`,
    },
    path: ['python', 'npm', 'cargo', 'gem', 'go'].map((name) => `${layer}/${name}/bin`).join(':'),
  };
}
