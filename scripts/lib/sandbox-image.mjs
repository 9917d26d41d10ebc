import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onPath, runCommand } from './command.mjs';
import { say, since } from './progress.mjs';
import { writeWhole } from './stamps.mjs';

const PROBE_MS = 20_000;
const BUILD_MS = 60 * 60_000;
const RETRY_AFTER_MS = 60 * 60_000;
const DEFAULT_IMAGE = 'steadyhand-sandbox';

/**
 * On a laptop that is not Linux, builds the image of agents' computers where docker or podman works and has none yet; otherwise it
 * prints the one command that helps. It never fails the start: without containers the product runs without a desktop and says
 * so in `/health`. Under WSL a desktop of Debian's packages comes first, as on Linux.
 * @param {string} root
 */
export async function ensureSandboxImage(root) {
  const { SANDBOX_ISOLATION: isolation = 'auto', SANDBOX_IMAGE: image = DEFAULT_IMAGE } = process.env;
  const isWsl = process.platform === 'linux' && /microsoft/i.test(os.release());
  if (isolation !== 'auto' || (process.platform === 'linux' && (!isWsl || onPath('bwrap')))) return;
  const program = await workingProgram();
  if (program === undefined) {
    say(`starting without the desktop, as neither docker nor podman works here. ${howToGetOne()}`);
    return;
  }
  const probe = await runCommand(program, ['image', 'inspect', '--format', '{{.Id}}', image], {
    capture: true,
  });
  if (probe.code === 0 || image !== DEFAULT_IMAGE) return;
  const args = ['build', '--file', 'sandbox/image/Dockerfile', '--tag', image, '.'];
  const command = `${program} ${args.join(' ')}`;
  // A build that failed a moment ago is not tried at every start.
  const attempt = path.join(root, 'dist/.stamps/sandbox-image-failed.json');
  if (wasTried(attempt)) {
    say(`starting without the desktop, as its image could not be built. To build it: ${command}`);
    return;
  }
  say(`agents' computers are containers of ${program} here; building their image, once: ${command}`);
  const start = performance.now();
  const { code } = await runCommand(program, args, { cwd: root, timeoutMs: BUILD_MS });
  if (code === 0) say(`image built in ${since(start)}`);
  else {
    writeWhole(attempt, JSON.stringify({ code }));
    say(
      `starting without the desktop, as its image could not be built (exit code ${code}); the message is above`,
    );
  }
}

/** The first of docker and podman that answers. */
async function workingProgram() {
  for (const program of ['docker', 'podman']) {
    if (!onPath(program)) continue;
    const { code } = await runCommand(program, ['info'], { capture: true, timeoutMs: PROBE_MS });
    if (code === 0) return program;
  }
  return undefined;
}

function howToGetOne() {
  return process.platform === 'darwin'
    ? 'To get one: brew install podman && podman machine init && podman machine start'
    : 'To get one: apt-get update && apt-get install -y podman';
}

/** @param {string} file */
function wasTried(file) {
  const { mtimeMs = 0 } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < RETRY_AFTER_MS;
}
