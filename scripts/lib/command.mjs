import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [capture]
 * @property {number} [timeoutMs]
 */

/**
 * Runs a program to its end, without a shell.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<{code: number, output: string}>} `code` is 127 when the program cannot be started and 128
 *   when a signal ended it. Without `capture`, `output` is empty and the program writes to standard error.
 */
export function runCommand(program, args, { cwd, env, capture = false, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    /** @type {Buffer[]} */
    const chunks = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) =>
      resolve({ code: code ?? 128, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}

/**
 * Whether a program of this name is on PATH. This looks at the folders only and runs nothing.
 * @param {string} program
 */
export function onPath(program, searchPath = process.env.PATH ?? '') {
  return [...searchPath.split(path.delimiter), '/usr/sbin', '/sbin'].some(
    (folder) => folder !== '' && fs.existsSync(path.join(folder, program)),
  );
}
