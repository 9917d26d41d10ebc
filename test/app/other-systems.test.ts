import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Product } from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * The product on a system that is not Linux, which `test/support/other-system.cjs` plays: nothing that only Linux has is touched,
 * and agents' computers are containers where docker works. What docker does is not played but for its first answers.
 */

const ROOT = process.cwd();
const folder = temporaryFolder();
const touched = path.join(folder, 'touched');
const calls = path.join(folder, 'calls');
const PLAYED = {
  NODE_OPTIONS: `--require ${path.join(ROOT, 'test/support/other-system.cjs')}`,
  OTHER_SYSTEM_TOUCHED: touched,
};

/** A folder for PATH with a docker that works, has the image or not, and notes how it is called. */
function dockerIn(name: string, hasImage: boolean): string {
  const bin = path.join(folder, name);
  mkdirSync(bin, { recursive: true });
  const image = hasImage ? 'echo sha256:1' : `[ -e ${bin}/built ]`;
  writeFileSync(
    path.join(bin, 'docker'),
    `#!/bin/sh
echo "$@" >> ${calls}
case "$1" in
  info) echo 27.1 ;;
  image) ${image} ;;
  build) : > ${bin}/built ;;
  *) exit 1 ;;
esac
`,
  );
  chmodSync(path.join(bin, 'docker'), 0o755);
  return bin;
}

const touches = (): string => (existsSync(touched) ? readFileSync(touched, 'utf8') : '');

test.each([
  ['with docker', () => dockerIn('docker', true), { available: true, isolation: 'container', reason: null }],
  [
    'without',
    () => path.join(folder, 'nothing'),
    {
      available: false,
      isolation: null,
      reason:
        'no isolation: isolation by bubblewrap fails (namespaces exist on Linux only, not on darwin), ' +
        'by containers too (neither docker nor podman is installed)',
    },
  ],
])('it starts %s', async (_, binaries, desktop) => {
  const product = new Product({ ...PLAYED, PATH: binaries(), DEFAULT_MODEL: '' });
  try {
    await product.start();
    const health = (await (await fetch(`${product.url}/health`)).json()) as { desktop: object };
    expect(health.desktop).toMatchObject(desktop);
    expect((await fetch(product.url)).status).toBe(200);
    expect(touches()).toBe('');
  } finally {
    await product.dispose();
  }
});

describe('before it starts', () => {
  const ensure = (searchPath: string, env: NodeJS.ProcessEnv = {}): string => {
    const root = path.join(folder, 'root');
    const lib = path.join(ROOT, 'scripts/lib/sandbox-image.mjs');
    mkdirSync(root, { recursive: true });
    const { stderr, status } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { ensureSandboxImage } from ${JSON.stringify(lib)}; await ensureSandboxImage(${JSON.stringify(root)});`,
      ],
      { env: { ...PLAYED, PATH: searchPath, ...env }, encoding: 'utf8' },
    );
    expect(status).toBe(0);
    return stderr;
  };

  test('the image is built once, and said so', () => {
    const bin = dockerIn('fresh', false);
    expect(ensure(bin)).toMatch(
      /containers of docker here; building their image, once: docker build --file sandbox\/image\/Dockerfile --tag steadyhand-sandbox \.\n· image built in/,
    );
    expect(ensure(bin)).toBe('');
    expect(readFileSync(calls, 'utf8').match(/^build /gm)).toHaveLength(1);
  });

  test('without docker and podman it prints the one command that helps', () => {
    expect(ensure('/nowhere')).toBe(
      '· starting without the desktop, as neither docker nor podman works here. ' +
        'To get one: brew install podman && podman machine init && podman machine start\n',
    );
  });

  test('another isolation that was asked for is left alone', () => {
    expect(ensure('/nowhere', { SANDBOX_ISOLATION: 'none' })).toBe('');
  });
});
