import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { VARIABLES } from '../../app/config/variables.ts';
import { runArguments } from '../../sandbox/client/hosts/container-runtime.ts';
import { DEFAULT_LIMITS, type SandboxConfig } from '../../sandbox/config.ts';

/** The container's files, held against the code that they speak of. */

const root = path.resolve(__dirname, '../..');
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
const dockerfile = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line));
const of = (name: string): string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
const inLast = (name: string): string[] =>
  last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
const env = Object.fromEntries(
  inLast('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
);
const known = Object.values(VARIABLES).map(({ name }) => name);

interface Compose {
  readonly services: {
    readonly sandbox: {
      readonly restart: string;
      readonly environment: Readonly<Record<string, string>>;
      readonly networks: readonly string[];
      readonly volumes?: readonly string[];
      readonly read_only: boolean;
      readonly tmpfs: readonly string[];
      readonly cap_drop: readonly string[];
      readonly cap_add: readonly string[];
      readonly security_opt: readonly string[];
      readonly privileged?: boolean;
      readonly devices?: readonly string[];
    };
    readonly steadyhand: {
      readonly networks: readonly string[];
      readonly init: boolean;
      readonly ports: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly volumes: readonly string[];
      readonly sysctls: readonly string[];
      readonly stop_grace_period: string;
    };
  };
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

describe('the Dockerfile', () => {
  test('serves on port 80 of every address, with its data where the volume is', () => {
    expect(env).toEqual({
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '2',
      HOST: '0.0.0.0',
      PORT: '80',
      DATA_DIR: '/data',
      MODELS_DIR: '/models',
    });
    // Beside it, the port of a worker for probes.
    expect(inLast('EXPOSE')).toEqual([`${env['PORT']} 8081`]);
    expect(inLast('VOLUME')).toEqual([env['DATA_DIR']]);
    expect(inLast('COPY').filter((line) => line.includes('--chown=1000:1000'))).toEqual([
      `--from=build --chown=1000:1000 /empty/data ${env['DATA_DIR']}`,
      `--from=build --chown=1000:1000 /empty/models ${env['MODELS_DIR']}`,
    ]);
    const { NODE_ENV: _node, MALLOC_ARENA_MAX: _libc, ...own } = env;
    expect(known).toEqual(expect.arrayContaining(Object.keys(own)));
  });

  test('runs as a user other than root, and runs nothing while the last stage is made', () => {
    expect(inLast('USER')).toEqual(['1000:1000']);
    expect(inLast('RUN')).toEqual([]);
    expect(inLast('CMD')).toEqual(['["node", "dist/main.mjs"]']);
    expect(inLast('ENTRYPOINT')).toEqual([]);
  });

  test('asks the process whether it is ready, whatever its role', () => {
    const check = /CMD (\[.*\])/.exec(inLast('HEALTHCHECK')[0] ?? '')?.[1];
    expect(JSON.parse(check ?? '[]')).toEqual(['node', 'dist/healthcheck.mjs']);
  });

  test('is for bases with glibc, and names no registry but the default of its base', () => {
    for (const base of of('ARG').filter((line) => line.includes('=')))
      expect(base).toMatch(/=.*bookworm-slim@sha256:[0-9a-f]{64}$/);
    expect(dockerfile.replaceAll('docker.io/library/', '')).not.toMatch(
      /https?:\/\/(?!127\.0\.0\.1)|registry=/,
    );
  });

  test('copies what is there', () => {
    const copied = instructions.flatMap((line) => {
      if (!line.startsWith('COPY ') || line.includes('--from=')) return [];
      return line.split(' ').slice(1, -1);
    });
    expect(copied).toContain('scripts');
    for (const name of copied) expect([name, fs.existsSync(path.join(root, name))]).toEqual([name, true]);
  });
});

describe('base images', () => {
  const files = ['Dockerfile', 'sandbox/image/Dockerfile'].map(read);
  const bases = (text: string): readonly string[] =>
    [...text.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, image = '']) => image);

  test('are pinned by digest, whatever is built from them', () => {
    for (const text of files) {
      const given = Object.fromEntries(
        [...text.matchAll(/^ARG (\w+_IMAGE)=(.*)$/gm)].map(([, name = '', image = '']) => [name, image]),
      );
      const stages = [...text.matchAll(/^FROM (?:--\S+ )*(\S+)/gm)].map(([, image = '']) => image);
      expect(stages).toHaveLength(4);
      for (const stage of stages) {
        const image = stage.replace(/^\$\{(\w+)\}$/, (_, name: string) => given[name] ?? '');
        expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
      }
    }
  });

  test('are the same in both Dockerfiles, so that they share what they have in common', () => {
    expect(new Set(files.flatMap(bases)).size).toBe(1);
  });

  test('are those of the Dockerfiles alone: docker-compose.yml builds its images', () => {
    const { services } = parse(read('docker-compose.yml')) as {
      services: Record<string, { build?: unknown }>;
    };
    for (const service of Object.values(services)) expect(service.build).toBeDefined();
  });
});

describe('.dockerignore', () => {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  test('keeps out what a checkout holds beside the product', () => {
    for (const name of ['node_modules', 'dist', 'data', 'models', '.git', 'test', 'bench'])
      expect(patterns).toContain(name);
    expect(patterns).toContain('.env*');
  });

  test('keeps in what the image is made of', () => {
    for (const name of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'LICENSE',
      'NOTICE',
      'scripts',
      'app',
      'static',
    ])
      expect(patterns).not.toContain(name);
  });

  test('names what git ignores too, but for what is in no checkout', () => {
    const lines = read('.gitignore').split('\n').filter(Boolean);
    // What is kept in a checkout all the same, such as a page in a folder of models, need not be in an image.
    const ignored = lines.filter((line) => !line.startsWith('!'));
    for (const name of ignored) expect(patterns).toContain(name.replace(/\/\*?$/, ''));
  });
});

describe('docker-compose.yml', () => {
  const { services, volumes, networks } = parse(read('docker-compose.yml')) as Compose;
  const service = services.steadyhand;

  test('publishes the port that the image serves, on loopback', () => {
    expect(service.ports).toHaveLength(1);
    expect(service.ports[0]).toMatch(/^127\.0\.0\.1:.*:80$/);
  });

  test('gives no empty defaults, which podman-compose 1.0 takes for text', () => {
    expect(read('docker-compose.yml')).not.toContain(':-}');
  });

  test('sets variables that exist', () => {
    for (const name of Object.keys(service.environment)) expect(known).toContain(name);
  });

  test('keeps the data in a volume, and reads the models', () => {
    const targets = service.volumes.map((volume) => volume.split(':')[1]);
    expect(targets).toEqual([env['DATA_DIR'], env['MODELS_DIR']]);
    expect(Object.keys(volumes)).toEqual(['data']);
  });

  test('has an init, for the processes that lose their parents, and leaves time to drain', () => {
    expect(service.init).toBe(true);
    expect(service.sysctls).toEqual(['net.ipv4.ip_unprivileged_port_start=0']);
    expect(service.stop_grace_period).toBe('30s');
  });

  describe('its sandboxes', () => {
    const { sandbox } = services;

    test('have the same few rights as a container that the server starts itself', () => {
      const args = runArguments({
        name: 'name',
        owner: 'own_0',
        image: 'image',
        link: '/link',
        config: { id: 'sbx_1', limits: DEFAULT_LIMITS } as SandboxConfig,
      });
      const given = (flag: string): string[] =>
        args.flatMap((argument, index) => (argument === flag ? [args[index + 1] ?? ''] : []));
      expect(sandbox.cap_drop).toEqual(given('--cap-drop'));
      expect(sandbox.cap_add).toEqual(given('--cap-add'));
      expect(sandbox.tmpfs).toEqual(given('--tmpfs'));
      // The desktop's programs lie there, and Docker lets nothing run in memory that is not said to.
      expect(sandbox.tmpfs.find((mount) => mount.startsWith('/run:'))).toContain(',exec,');
      expect(sandbox.security_opt).toEqual(['no-new-privileges:true']);
      expect(sandbox.read_only).toBe(args.includes('--read-only'));
      expect([sandbox.privileged, sandbox.devices]).toEqual([undefined, undefined]);
    });

    test('are made anew when they end, with a volume each, which is the image’s', () => {
      expect(sandbox.restart).toBe('always');
      // podman-compose would give all of them the same one for a path without a name.
      expect(sandbox.volumes).toBeUndefined();
    });

    test('reach the server alone, whose token is theirs', () => {
      expect(sandbox.networks).toEqual(['pool']);
      expect(networks['pool']).toEqual({ internal: true });
      expect(service.networks).toContain('pool');
      expect(sandbox.environment['SANDBOX_POOL_TOKEN']).toBe(service.environment['SANDBOX_POOL_TOKEN']);
      expect(sandbox.environment['SANDBOX_SERVER']).toBe('http://steadyhand');
      expect(service.environment['SANDBOX_ISOLATION']).toBe('remote');
    });
  });
});

describe('the image of a sandbox', () => {
  const image = read('sandbox/image/Dockerfile');

  test("begins as the server's, so that what both need is built once", () => {
    const stage = (text: string): string => /^FROM [^\n]* AS build\n[^]*?\n\n/m.exec(text)?.[0] ?? '';
    expect(stage(image)).toBe(stage(read('Dockerfile')));
    expect(stage(image)).toContain('scripts/build.mjs');
    // Older builders do not say for which processor they build.
    for (const text of [image, read('Dockerfile')])
      expect(text).toContain('${TARGETARCH:-$(dpkg --print-architecture)}');
  });

  test('starts the daemon under an init, with everything that is kept below one volume', () => {
    expect(image).toContain('ENTRYPOINT ["tini", "--", "node", "/opt/steadyhand/dist/sandbox-member.mjs"]');
    expect(image).toContain('VOLUME /home');
    expect(image).toContain('ENV SANDBOX_DIR=/home/.steadyhand SANDBOX_ISOLATION=container');
  });
});
