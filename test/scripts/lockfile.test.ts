import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The lockfile installs the same on every system: each prebuilt package is there for each of them, on both processors. */

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(path.resolve(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Entry>>;
};

const SYSTEMS = ['linux', 'darwin', 'win32'] as const;
const PROCESSORS = ['x64', 'arm64'] as const;

/** What has no build for a system, and what is done without it. */
const WITHOUT: Readonly<Record<string, string>> = {
  'libsql win32 arm64': 'Windows on ARM runs the builds for x64',
};

/** A package that chooses among others by the system, and those that it chooses among. */
const families = Object.entries(packages)
  .map(([name, { optionalDependencies = {} }]) => ({
    name: name.split('node_modules/').at(-1) ?? '',
    members: Object.keys(optionalDependencies),
    all: Object.entries(optionalDependencies),
  }))
  .filter(({ members }) => SYSTEMS.every((system) => members.some((member) => member.includes(system))));

test('the packages with native code that is chosen by the system are known', () => {
  expect(families.map(({ name }) => name).toSorted()).toEqual(
    expect.arrayContaining(['@swc/core', 'esbuild', 'libsql', 'oxlint', 'sharp', 'typescript']),
  );
});

describe.each(families)('$name', ({ name, all }) => {
  test.each(SYSTEMS.flatMap((system) => PROCESSORS.map((processor) => [system, processor] as const)))(
    'on %s %s',
    (system, processor) => {
      const found = all.filter(([member, version]) => {
        const entry = packages[`node_modules/${member}`];
        return (
          entry?.os?.includes(system) === true &&
          entry.cpu?.includes(processor) === true &&
          entry.libc?.includes('musl') !== true &&
          entry.optional === true &&
          entry.version === version &&
          entry.integrity?.startsWith('sha512-') === true
        );
      });
      // A lockfile that lacks one is completed by scripts/complete-lockfile.mjs.
      expect(found.length > 0).toBe(WITHOUT[`${name} ${system} ${processor}`] === undefined);
    },
  );
});

test('packages that hold the code of all systems say no system', () => {
  for (const name of ['onnxruntime-node', '@temporalio/core-bridge']) {
    const { cpu, os = [...SYSTEMS] } = packages[`node_modules/${name}`] ?? {};
    expect({ name, cpu }).toEqual({ name, cpu: undefined });
    expect(os).toEqual(expect.arrayContaining([...SYSTEMS]));
  }
});
