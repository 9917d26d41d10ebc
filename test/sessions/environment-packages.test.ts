import { createSessions } from '../../sessions/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { madeForAll } from '../support/opened.ts';

const stores = temporaryStores();

const sessions = madeForAll(async () => createSessions({ store: await stores.open() }));

const create = (packages: object, networking?: object): Promise<unknown> =>
  sessions.environments
    .create({
      name: 'e',
      config: { type: 'cloud', packages, ...(networking === undefined ? {} : { networking }) },
    })
    .then(({ config }: { readonly config: unknown }) => (config as { packages: unknown }).packages);

test('names with and without versions are taken as each manager writes them', async () => {
  const given = {
    apt: ['g++', 'libc6:amd64', 'curl=7.88.1-10+deb12u8', 'fonts-noto'],
    cargo: ['ripgrep', 'ripgrep@14.1.0'],
    gem: ['rake', 'rake:13.1.0'],
    go: ['golang.org/x/tools/cmd/stringer', 'example.com/tool@v1.2.3'],
    npm: ['prettier', '@scope/name', 'typescript@5.4', 'react@^18.0.0', 'vite@latest'],
    pip: ['numpy', 'numpy==1.26.4', 'uvicorn[standard]>=0.30,<1', 'ruamel.yaml ~= 0.18'],
  };
  expect(await create({ type: 'packages', ...given })).toEqual({ type: 'packages', ...given });
  expect(await create({ pip: ['six'], npm: null })).toEqual({
    type: 'packages',
    apt: [],
    cargo: [],
    gem: [],
    go: [],
    npm: [],
    pip: ['six'],
  });
});

test.each([
  ['apt', '-oDir=/tmp'],
  ['apt', 'curl-'],
  ['apt', './local.deb'],
  ['apt', 'a b'],
  ['pip', '--index-url=http://evil'],
  ['pip', '-r requirements.txt'],
  ['pip', 'six @ https://evil/six.whl'],
  ['pip', '../six'],
  ['pip', 'six; python_version > "3"'],
  ['npm', '--registry=http://evil'],
  ['npm', 'git+ssh://git@host/x'],
  ['npm', 'owner/repository'],
  ['npm', 'x@npm:y'],
  ['npm', 'x@file:../x'],
  ['npm', 'https://evil/x.tgz'],
  ['cargo', '--git'],
  ['gem', 'rake -P'],
  ['go', './cmd'],
  ['go', 'example.com/../x'],
  ['go', '-exec=sh'],
  ['pip', 'six\n--index-url=x'],
])('%s: %s is refused by its place', async (manager, name) => {
  await expect(create({ [manager]: ['fine.example/x', name].slice(1) })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(
      new RegExp(`^config\\.(cloud\\.)?packages\\.${manager}\\.0: .*name of a package of ${manager}`),
    ) as string,
  });
});

test('under limited networking they need the package managers', async () => {
  const limited = { type: 'limited', allowed_hosts: ['example.com'] };
  await expect(create({ pip: ['six'] }, limited)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('networking.allow_package_managers: expected true') as string,
  });
  expect(await create({ pip: ['six'] }, { ...limited, allow_package_managers: true })).toMatchObject({
    pip: ['six'],
  });
  expect(await create({}, limited)).toMatchObject({ pip: [] });
});
