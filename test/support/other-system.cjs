/**
 * Loaded before the product (`node --require`), plays another system than Linux for it: `process.platform` and `os` say macOS, and
 * what only Linux has is not there. Each touch of that is a line in the file that OTHER_SYSTEM_TOUCHED names. Packages with native
 * code and Node itself see the real system, as theirs is the only code there is here.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { syncBuiltinESMExports } = require('node:module');

const ROOT = path.resolve(__dirname, '../..');
const real = process.platform;
const ONLY_LINUX = /^\/(?:proc|sys)(?:\/|$)/;

/** Whether the product's own code asks, told by the frame below this file's. */
function isOurs() {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const caller = frames.find((frame) => !frame.includes(__filename)) ?? '';
  return caller.includes(ROOT) && !caller.includes('node_modules');
}

Object.defineProperty(process, 'platform', { get: () => (isOurs() ? 'darwin' : real) });
for (const [name, answer] of Object.entries({ platform: 'darwin', type: 'Darwin', release: '24.6.0' })) {
  const own = os[name];
  os[name] = () => (isOurs() ? answer : own());
}

/** @param {Record<string, unknown>} functions */
function guard(functions) {
  for (const [name, own] of Object.entries(functions)) {
    if (typeof own !== 'function' || /^[A-Z_]/.test(name)) continue;
    functions[name] = Object.assign(function guarded(...given) {
      const [file] = given;
      if (typeof file === 'string' && ONLY_LINUX.test(file) && isOurs()) {
        const line = `${name} ${file} ${new Error().stack.split('\n')[2]}\n`;
        fs.appendFileSync(process.env.OTHER_SYSTEM_TOUCHED, line);
        throw Object.assign(new Error(`ENOENT: ${file}`), { code: 'ENOENT' });
      }
      return own.apply(this, given);
    }, own);
  }
}
guard(fs);
guard(fs.promises);
syncBuiltinESMExports();
