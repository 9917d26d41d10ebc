/**
 * `node test/oracle/xstate-range.mjs [version...]`: tells with which versions of XState the statechart package works. Each is
 * installed in a scratch folder; it has to export what the package imports, and to pass the tests of the interpreter.
 *
 * Of 23 November 2026: 5.19.0 loses history states on continue-as-new; 5.22.0 and 5.25.0 pass all tests and lack
 * `getNextTransitions`; 5.26.0, 5.27.0, 5.28.0, 5.31.0 and 5.33.3 work.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEFAULT = ['5.19.0', '5.22.0', '5.25.0', '5.26.0', '5.27.0', '5.28.0', '5.31.0', '5.33.3'];

/** @returns {readonly string[]} what the package imports from xstate, without its types */
function imported() {
  const folder = path.join(ROOT, 'statechart');
  const names = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?:core|workflow|client)\/.*\.ts$/.test(file))
    .flatMap((file) => [
      ...fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/^import \{([^}]*)\} from 'xstate';/gms),
    ])
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
  return [...new Set(names)];
}

/** @param {string} version */
function verdict(version) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'xstate-'));
  try {
    fs.writeFileSync(path.join(scratch, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `xstate@${version}`], {
      cwd: scratch,
    });
    const library = path.join(scratch, 'node_modules/xstate/dist/xstate.cjs.js');
    const exported = execFileSync(process.execPath, ['-p', `Object.keys(require('${library}')).join()`], {
      encoding: 'utf8',
    });
    const missing = imported().filter((name) => !exported.trim().split(',').includes(name));
    if (missing.length > 0) return `lacks ${missing.join(', ')}`;
    const config = path.join(scratch, 'jest.config.mjs');
    fs.writeFileSync(
      config,
      `import base from ${JSON.stringify(path.join(ROOT, 'jest.config.mjs'))};
       export default { ...base, rootDir: ${JSON.stringify(ROOT)}, moduleNameMapper: { '^xstate$': ${JSON.stringify(library)} } };`,
    );
    const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
    const args = [jest, '--config', config, path.join(ROOT, 'test/statechart/interpreter.test.ts')];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    return status === 0 ? 'works' : `fails:\n${stderr.match(/^ {2}● .*$/gm)?.join('\n') ?? stderr}`;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const given = process.argv.slice(2);
for (const version of given.length === 0 ? DEFAULT : given) console.log(`${version}: ${verdict(version)}`);
