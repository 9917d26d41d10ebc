import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'bench/RESULTS.md',
  'models/README.md',
  ...['approval', 'fan-out', 'order-saga', 'polling', 'traffic-light'].map(
    (name) => `examples/${name}/README.md`,
  ),
  ...docsPages().map((name) => `docs/${name}`),
];

function docsPages(): string[] {
  return readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** A page without its blocks of code, in which brackets are no links. */
const proseOf = (file: string): string => read(file).replaceAll(/^( *)```.*?^\1```/gms, '');

/** The names by which headings are linked to, made as GitHub makes them. */
function anchorsOf(file: string): string[] {
  return [...proseOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES)('every link of %s leads somewhere', (page) => {
  const broken = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [to = '', anchor] = target.split('#');
      const file = to === '' ? page : path.join(path.dirname(page), to);
      if (!existsSync(path.join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test('docs/README.md lists every page once', () => {
  const listed = [...read('docs/README.md').matchAll(/^- \[.+?\]\(([a-z-]+\.md)\)/gm)].map(
    ([, name]) => name,
  );
  const pages = docsPages().filter((name) => name !== 'README.md');
  expect(listed).toHaveLength(pages.length);
  expect(new Set(listed)).toEqual(new Set(pages));
});

test('every page of docs that code and configuration name exists', () => {
  const files = ['docker-compose.yml', 'Dockerfile', 'sandbox/image/Dockerfile', ...sources()];
  const named = files.flatMap((file) => [...read(file).matchAll(/docs\/[a-z-]+\.md/g)].map(([name]) => name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});

function sources(): string[] {
  return ['app', 'inference', 'messages', 'sandbox', 'server', 'sessions'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name)),
  );
}
