import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SHARED_MEMORY = '/dev/shm';
const NAME = /^steadyhand-(\d+)$/;
const NEEDED_BYTES = 6 * 2 ** 30;

/**
 * Makes a folder in memory for the temporary files of a test run, which are many and live for seconds: on a disk they take a
 * thirtieth of the run. It goes with `close`; what a killed run left is removed by the next one.
 * @param {object} [machine] this machine by default
 * @param {string} [machine.place] where memory is mounted
 * @param {number} [machine.memory] its bytes
 * @param {string | undefined} [machine.chosen] the folder that the environment names in its place
 * @returns {{ readonly folder: string, close(): void } | undefined} undefined where there is no such place, too little memory, or a
 *   folder of the environment's
 */
export function memoryFolder({
  place = SHARED_MEMORY,
  memory = os.totalmem(),
  chosen = process.env['TMPDIR'],
} = {}) {
  if (chosen !== undefined || memory < 2 * NEEDED_BYTES || !mayRunPrograms(place)) return undefined;
  const { bavail, bsize } = fs.statfsSync(place);
  if (bavail * bsize < NEEDED_BYTES) return undefined;
  removeAbandoned(place);
  const folder = path.join(place, `steadyhand-${process.pid}`);
  fs.mkdirSync(folder);
  // As /tmp is: tests start programs as other users.
  fs.chmodSync(folder, 0o1777);
  return { folder, close: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Whether a folder is mounted in memory and lets programs be run, as tests write some and run them.
 * @param {string} place
 */
function mayRunPrograms(place) {
  if (!fs.existsSync('/proc/mounts')) return false;
  return fs
    .readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .some(
      ([, at, kind, options = '']) =>
        at === place && kind === 'tmpfs' && !options.split(',').includes('noexec'),
    );
}

/** @param {string} place */
function removeAbandoned(place) {
  for (const name of fs.readdirSync(place)) {
    const pid = NAME.exec(name)?.[1];
    // One with this process's own number is of an earlier process that had it.
    if (pid !== undefined && (Number(pid) === process.pid || !fs.existsSync(`/proc/${pid}`)))
      fs.rmSync(path.join(place, name), { recursive: true, force: true });
  }
}
