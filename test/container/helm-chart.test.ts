import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../app/config/variables.ts';

/** The Helm chart, held against the code; linted and rendered where helm is on PATH. */

const root = path.resolve(__dirname, '../..');
const chart = path.join(root, 'deploy/helm/steadyhand');
const read = (name: string): string => fs.readFileSync(path.join(chart, name), 'utf8');
const values = parse(read('values.yaml')) as Record<string, unknown>;
const schema = JSON.parse(read('values.schema.json')) as object;

const members = fs.readFileSync(path.join(root, 'sandbox/pool-machine/settings.ts'), 'utf8');
const known = new Set<string>([
  ...Object.values(VARIABLES).map(({ name }) => name),
  ...[...members.matchAll(/\bSANDBOX_[A-Z_]+/g)].map(([name]) => name),
  // Read by the libraries that speak to these services.
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  // Only there to be put together into another.
  'POD_NAME',
]);

/** The least that has to be given. */
const GIVEN = {
  image: { repository: 'registry.example/steadyhand' },
  sandbox: { image: { repository: 'registry.example/steadyhand-sandbox' } },
  temporal: { address: 'temporal-frontend:7233' },
  blobs: { address: 's3://bucket/blobs?endpoint=https://s3.example:9000&region=us-east-1' },
  secrets: { existing: 'steadyhand' },
};

test('the values are what their schema allows, and each is explained in the README', () => {
  const validate = new Ajv({ strict: false }).compile(schema);
  expect([validate(values), validate.errors]).toEqual([true, null]);
  expect(validate({ ...values, wroker: {} })).toBe(false);
  for (const name of Object.keys(values)) expect(read('README.md')).toContain(`\`${name}`);
});

test('the templates set variables that exist', () => {
  const helpers =
    /define "steadyhand.env"([^]*?)\{\{- end -\}\}\n\n/.exec(read('templates/_helpers.tpl'))?.[1] ?? '';
  const always = [...helpers.matchAll(/"([A-Z_]{4,})" /g)].map(([, name = '']) => name);
  const conditional = [...read('templates/_helpers.tpl').matchAll(/set \$env "([A-Z_]+)"/g)].map(
    ([, name = '']) => name,
  );
  const secret = [...read('templates/secret.yaml').matchAll(/"([A-Z_]{5,})"/g)].map(([, name = '']) => name);
  const machines = [...read('templates/sandbox.yaml').matchAll(/- name: ([A-Z_]+)/g)].map(
    ([, name = '']) => name,
  );
  expect(always).toEqual(expect.arrayContaining(['TEMPORAL_ADDRESS', 'BLOBS']));
  expect(secret).toEqual(expect.arrayContaining(['STORE', 'SECRETS_KEY']));
  expect(machines).toContain('SANDBOX_DRAIN_SECONDS');
  expect([...always, ...conditional, ...secret, ...machines].filter((name) => !known.has(name))).toEqual([]);
});

test("the chart's version is the product's", () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const { version: own, appVersion } = parse(read('Chart.yaml')) as Record<string, string>;
  expect([own, appVersion]).toEqual([version, version]);
});

const helm = spawnSync('helm', ['version', '--short'], { encoding: 'utf8' });
const withHelm = helm.status === 0 ? describe : describe.skip;

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly replicas?: number;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly {
          readonly command: readonly string[];
          readonly env: readonly { readonly name: string; readonly value?: string }[];
        }[];
      };
    };
  };
}

withHelm('with helm (skipped where it is not on PATH)', () => {
  function run(
    command: readonly string[],
    given: object,
  ): { readonly status: number | null; readonly text: string } {
    const { status, stdout, stderr } = spawnSync('helm', [...command, '--values', '-'], {
      input: JSON.stringify(given),
      encoding: 'utf8',
    });
    return { status, text: status === 0 ? stdout : stdout + stderr };
  }

  function rendered(more: object = {}): readonly Resource[] {
    const { status, text } = run(['template', 'release', chart], { ...GIVEN, ...more });
    if (status !== 0) throw new Error(text);
    return parseAllDocuments(text).flatMap((document) => {
      const resource = document.toJS() as Resource | null;
      return resource === null ? [] : [resource];
    });
  }

  const EVERYTHING = {
    server: {
      autoscaling: { enabled: true },
      ingress: { enabled: true, host: 'agents.example', tlsSecret: 'tls' },
      trustedProxies: '10.0.0.0/8',
    },
    worker: { autoscaling: { enabled: true }, env: { LOG_LEVEL: 'debug' } },
    inference: { modelsClaim: 'models' },
    sandbox: { ...GIVEN.sandbox, keda: { enabled: true } },
    networkPolicy: {
      serverFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
      metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
    },
    serviceMonitor: { enabled: true },
    telemetry: { otlpEndpoint: 'http://collector:4318' },
    secrets: { store: 'postgres://u:p@db:5432/steadyhand' },
  };

  test.each([
    ['what has to be given', {}],
    ['everything', EVERYTHING],
  ])('is linted without a word, with %s', (_, more) => {
    const { status, text } = run(['lint', '--strict', chart], { ...GIVEN, ...more });
    expect([text, status]).toEqual([expect.stringContaining('1 chart(s) linted, 0 chart(s) failed'), 0]);
  });

  test('says what has to be given', () => {
    const { status, text } = run(['template', 'release', chart], {});
    expect(status).not.toBe(0);
    expect(text).toMatch(/has to be given/);
  });

  test('refuses a value that it does not know', () => {
    const { status, text } = run(['template', 'release', chart], { ...GIVEN, worker: { replica: 3 } });
    expect(status).not.toBe(0);
    expect(text).toContain('replica');
  });

  test('runs each role, with its own grace, and the migration before them', () => {
    const resources = rendered();
    const commands = resources.flatMap(({ kind, metadata, spec }) =>
      kind === 'Deployment' || kind === 'Job'
        ? [
            [
              kind,
              metadata.labels['app.kubernetes.io/component'],
              spec.template?.spec.containers[0]?.command.at(-1),
            ],
          ]
        : [],
    );
    expect(commands.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      ['Deployment', 'inference', '--role=inference'],
      ['Deployment', 'server', '--role=server'],
      ['Deployment', 'worker', '--role=worker'],
      ['Job', 'migrate', '--role=migrate'],
    ]);
    const sandbox = resources.find(({ kind }) => kind === 'StatefulSet');
    // More than a machine may take to drain.
    expect(sandbox?.spec.template?.spec.terminationGracePeriodSeconds).toBe(3630);
  });

  test.each([
    ['what has to be given', {}],
    ['everything', EVERYTHING],
  ])('selects the pods that it makes, and sets variables that exist, with %s', (_, more) => {
    const resources = rendered(more);
    const pods = resources.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template]));
    for (const { spec, kind, metadata } of resources) {
      const selector = (spec?.selector?.['matchLabels'] ??
        (kind === 'Service' ? spec.selector : undefined)) as Record<string, string> | undefined;
      if (selector === undefined) continue;
      const found = pods.filter(({ metadata: { labels } }) =>
        Object.entries(selector).every(([label, value]) => labels[label] === value),
      );
      expect([kind, metadata.name, found.length > 0]).toEqual([kind, metadata.name, true]);
    }
    const names = pods.flatMap(({ spec }) =>
      spec.containers.flatMap(({ env }) => env.map(({ name }) => name)),
    );
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  const describeKubeconform = spawnSync('kubeconform', ['-v']).status === 0 ? describe : describe.skip;
  describeKubeconform('by kubeconform and its schemas', () => {
    test('is what Kubernetes takes', () => {
      const { text } = run(['template', 'release', chart], { ...GIVEN, ...EVERYTHING });
      const { stdout, stderr, status } = spawnSync(
        'kubeconform',
        ['-strict', '-ignore-missing-schemas', '-summary'],
        {
          input: text,
          encoding: 'utf8',
        },
      );
      expect([stdout + stderr, status]).toEqual([expect.stringContaining('Invalid: 0'), 0]);
    });
  });
});
