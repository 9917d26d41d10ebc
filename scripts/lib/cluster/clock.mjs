import fs from 'node:fs';
import { BootstrapError } from '../progress.mjs';

/** Debian's package libfaketime, for both processors. */
const LIBRARIES = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`);

/**
 * A clock of one process that can be moved while it runs. What it measures times by does not move, as when a real clock is set.
 * @param {string} file
 */
export function movableClock(file) {
  const library = LIBRARIES.find((path) => fs.existsSync(path));
  if (library === undefined)
    throw new BootstrapError('To move clocks, libfaketime is needed: apt-get install -y libfaketime');
  const move = (/** @type {number} */ seconds) => {
    fs.writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    fs.renameSync(`${file}.new`, file);
  };
  move(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    /** Within a second the process's clock is this many seconds before or behind the machine's. */
    move,
  };
}
