/** @typedef {import('./npm-packages.mjs').LockPackages} LockPackages */

/** What a package with prebuilt code for one system and processor is called, of those that Steadyhand is started on. */
const SYSTEMS = /(?<![a-z])(?:darwin|linux|linuxmusl|win32)(?![a-z0-9])/;
const PROCESSORS = /(?<![a-z0-9])(?:arm64|x64)(?![a-z0-9])/;

/**
 * The prebuilt packages for Linux, macOS and Windows on both processors that packages of the lockfile name and that it lacks.
 * @param {LockPackages} packages
 * @returns {{ readonly name: string, readonly version: string, readonly dev: boolean }[]}
 */
export function missingPlatformPackages(packages) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) =>
          SYSTEMS.test(name) &&
          PROCESSORS.test(name) &&
          packages[`node_modules/${name}`] === undefined &&
          packages[`${parent}/node_modules/${name}`] === undefined,
      )
      .map(([name, version]) => ({ name, version, dev })),
  );
}
