import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { findProgram } from '../../../sandbox/find-program.ts';

const ROOT = join(__dirname, '../../..');

// Where no bubblewrap is there is no small disk to be had without rights.
export const describeSmallDisk = findProgram('bwrap') === null ? describe.skip : describe;

/**
 * Runs a program on a disk of so many bytes, `/small`: a tmpfs that only the program inside sees. Its imports are relative to the
 * repository; answers what it wrote to standard output, read as JSON.
 */
export async function onSmallDisk(bytes: number, program: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'steadyhand-full-'));
  try {
    const outfile = join(folder, 'program.cjs');
    await build({
      stdin: { contents: program, loader: 'ts', resolveDir: ROOT },
      bundle: true,
      conditions: ['@steadyhand/source'],
      platform: 'node',
      format: 'cjs',
      outfile,
    });
    const system = ['/usr', '/bin', '/lib', '/lib64', '/etc'].flatMap((at) => ['--ro-bind-try', at, at]);
    const small = ['--size', String(bytes), '--tmpfs', '/small'];
    const own = ['--ro-bind', process.execPath, '/node', '--ro-bind', outfile, '/program.cjs'];
    const { stdout, stderr } = spawnSync(
      'bwrap',
      [
        '--unshare-user',
        '--dev',
        '/dev',
        '--proc',
        '/proc',
        ...small,
        ...system,
        ...own,
        '/node',
        '/program.cjs',
      ],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
