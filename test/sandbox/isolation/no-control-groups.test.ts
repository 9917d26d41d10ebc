import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import { bundling } from '../../support/bundling.ts';

/** `ip netns exec` mounts a /sys of its own, where the folders of control groups are missing and cannot be made. */
test('where no control group can be made, none is, and no time is lost', () => {
  const { outputFiles } = buildSync({
    ...bundling(),
    entryPoints: ['sandbox/isolation/limits/cgroup.ts'],
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const limits = { memory_mib: 100, processes: 100, cpus: 1, disk_mib: null, files: null };
  const program = `${outputFiles[0]?.text}
    console.log(JSON.stringify(module.exports.openControlGroup('sbx_1', ${JSON.stringify(limits)}, '/proc')));`;
  // A process of its own, because what it must not do would hold up this one for ever.
  const { stdout, stderr, signal } = spawnSync(process.execPath, ['-'], {
    input: program,
    timeout: 30_000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  expect({ stdout, stderr, signal }).toEqual({
    stdout: `${JSON.stringify({ folders: [], holds: [] })}\n`,
    stderr: '',
    signal: null,
  });
});
