import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROLE, VARIABLES } from '../../app/config/variables.ts';

/** docker-compose.cluster.yml, held against the code and the files that it speaks of. */

const root = path.resolve(__dirname, '../..');
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly extends?: { readonly file: string; readonly service: string };
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const text = read('docker-compose.cluster.yml');
const { services, volumes, networks } = parse(text, { merge: true }) as Compose;
const all = Object.entries(services);
const ours = all.filter(([, { build }]) => build !== undefined);
const known = new Set<string>([
  ...Object.values(VARIABLES).map(({ name }) => name),
  ...[...read('sandbox/pool-machine/settings.ts').matchAll(/\bSANDBOX_[A-Z_]+/g)].map(([name]) => name),
  // Read by the libraries that speak to these services.
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
]);

test('each role runs, and no other', () => {
  const roles = ours.map(([, { command = [] }]) => command);
  expect(ours.map(([name]) => name)).toEqual(['server', 'worker', 'inference', 'migrate']);
  for (const [index, command] of roles.entries()) {
    expect(command).toEqual(['node', 'dist/main.mjs', `--role=${ours[index]?.[0]}`]);
    expect(ROLE.parse(command[2]?.replace('--role=', '') ?? '')).toBe(ours[index]?.[0]);
  }
});

test('sets variables that exist', () => {
  const names = [...ours.map(([, service]) => service), services['sandbox']].flatMap((service) =>
    Object.keys(service?.environment ?? {}),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('pins what is not ours by the digest of its index', () => {
  for (const [name, { image, build, extends: from }] of all) {
    if (build !== undefined || from !== undefined) continue;
    expect([name, image]).toEqual([
      name,
      expect.stringMatching(/^docker\.io\/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/),
    ]);
  }
});

test('publishes ports on loopback alone', () => {
  const ports = all.flatMap(([, { ports: list = [] }]) => list);
  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('mounts files and folders that are there, and volumes that are declared', () => {
  for (const [name, { volumes: mounts = [] }] of all)
    for (const [source = ''] of mounts.map((mount) => mount.split(':'))) {
      const there = source.startsWith('./') ? fs.existsSync(path.join(root, source)) : source in volumes;
      expect([name, source, there]).toEqual([name, source, true]);
    }
});

test('waits for parts that are there', () => {
  for (const [name, { depends_on: needs = [] }] of all) {
    for (const other of Array.isArray(needs) ? (needs as string[]) : Object.keys(needs))
      expect([name, Object.keys(services)]).toEqual([name, expect.arrayContaining([other])]);
  }
});

test('keeps sandboxes in a network without a way out, in which are the proxy, the servers and the workers', () => {
  expect(networks['pool']).toEqual({ internal: true });
  const inPool = all.filter(([, service]) => service.networks?.includes('pool')).map(([name]) => name);
  expect(inPool).toEqual(['proxy', 'server', 'worker']);
  expect(services['sandbox']?.extends).toEqual({ file: 'docker-compose.yml', service: 'sandbox' });
  expect(services['sandbox']?.environment?.['SANDBOX_SERVER']).toBe('http://proxy');
});

test('asks for each secret by name, and the page says how they are made', () => {
  const wanted = new Set([...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = '']) => name));
  expect([...wanted].sort()).toEqual([
    'API_KEY',
    'POSTGRES_PASSWORD',
    'S3_SECRET_KEY',
    'SANDBOX_POOL_TOKEN',
    'SECRETS_KEY',
  ]);
  const page = read('docs/cluster.md');
  for (const name of wanted) expect(page).toContain(name);
});

test('gives no empty defaults, which podman-compose 1.0 takes for text', () => {
  expect(text).not.toContain(':-}');
});

describe('what its parts are told', () => {
  test('every file parses', () => {
    for (const name of ['otel-collector.yaml', 'prometheus.yml', 'tempo.yaml', 'temporal/dynamic.yaml'])
      expect(parse(read(`deploy/compose/${name}`))).toEqual(expect.any(Object));
  });

  test('Prometheus asks every role, and Temporal', () => {
    const { scrape_configs: jobs } = parse(read('deploy/compose/prometheus.yml')) as {
      scrape_configs: readonly {
        readonly dns_sd_configs?: readonly { readonly names: readonly string[] }[];
        readonly static_configs?: readonly { readonly targets: readonly string[] }[];
      }[];
    };
    const asked = jobs.flatMap(({ dns_sd_configs: found = [] }) => found.flatMap(({ names }) => names));
    expect(asked).toEqual(['server', 'worker', 'inference']);
    expect(jobs.flatMap(({ static_configs: given = [] }) => given.flatMap(({ targets }) => targets))).toEqual(
      ['temporal:9090'],
    );
  });
});
