import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Networking, Packages } from '@steadyhand/contracts';
import { textOf, TestSandboxes, until } from '../helpers/sandboxes.ts';
import { Registries } from './registries.ts';
import { limitedTo } from '../helpers/networking.ts';

const NONE: Packages = { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] };
const needed = ['/usr/bin/apt-get', '/usr/bin/dpkg-deb', '/usr/bin/pip3', '/usr/bin/npm', '/usr/bin/bwrap'];
/** A manager that sandboxes on this machine do not see. */
const absent = (['gem', 'cargo', 'go'] as const).find(
  (name) => !['/usr/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, name))),
);
const describeWithout = absent === undefined ? describe.skip : describe;
const missing = needed.filter((path) => !existsSync(path));
const describeWithManagers = missing.length === 0 ? describe : describe.skip;

describeWithManagers(`packages of an environment (needs ${needed.join(', ')})`, () => {
  let test: TestSandboxes;
  let registries: Registries;
  let networking: Networking;
  const former: Record<string, string | undefined> = {};
  beforeAll(async () => {
    registries = await Registries.open();
    for (const [name, value] of Object.entries(registries.environment)) {
      former[name] = process.env[name];
      process.env[name] = value;
    }
    test = TestSandboxes.open();
    networking = limitedTo([registries.host], true);
  });
  afterAll(async () => {
    for (const [name, value] of Object.entries(former)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await test.close();
    await registries.close();
  });
  const layers = (): string[] => readdirSync(join(test.dir, '.packages'));

  it('are found by the first action, are installed once for all that list them, and bring no secrets in', async () => {
    const client = test.client({ allowPrivate: [registries.host] });
    const packages = { ...NONE, apt: ['greet'], npm: ['hail@1'], pip: ['hello-there==1.0'] };
    const command =
      'greet; python3 -c "import hello_there; print(hello_there.words)"; hail; touch /usr/bin/x /opt/steadyhand/packages/x; ls -A';
    const made = await Promise.all([
      client.create({ networking, packages }),
      client.create({ networking, packages }),
    ]);
    for (const text of await Promise.all(made.map(({ id }) => test.text(client, id, command)))) {
      expect(text).toMatch(/^(<system>.*<\/system>)?greetings from apt\nhello from pip\nhail from npm\n/);
      expect(text.match(/Read-only file system/g)).toHaveLength(2);
    }
    for (const path of ['/apt/greet.deb', '/npm/hail.tgz', '/pip/files/hello_there-1.0-py3-none-any.whl'])
      expect(registries.asked.filter((asked) => asked === path)).toEqual([path]);
    expect(layers()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const [first] = made;
    const shown = await test.text(
      client,
      first.id,
      'env; cat /opt/steadyhand/desktop/apt/sources.list; ls -A ~',
    );
    expect(shown).toContain(registries.host);
    expect(shown).toContain('NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt');
    expect(shown).not.toContain('password');
    // A computer that is started anew has them too, without asking anybody.
    const asked = registries.asked.length;
    test.killDaemon(first.id);
    expect(await test.text(client, first.id, 'greet')).toMatch(/greetings from apt$/);
    expect(registries.asked).toHaveLength(asked);
  });

  it('that cannot be installed are an error of the action, and the next one tries again', async () => {
    const client = test.client({ allowPrivate: [registries.host] });
    registries.pipServes = false;
    const { id } = await client.create({ networking, packages: { ...NONE, pip: ['hello-there'] } });
    const failed = await test.bash(client, id, 'echo never; touch /home/agent/ran', 'first');
    expect(failed).toMatchObject({ status: 'done', is_error: true });
    expect(textOf(failed)).toMatch(
      /^The packages of this environment could not be installed: pip: [^]*hello-there/,
    );
    registries.pipServes = true;
    const next = async (): Promise<string> =>
      test.text(client, id, 'python3 -c "import hello_there; print(hello_there.words)"; ls');
    let text = '';
    // For a second whoever asks is told of the failed attempt.
    await until(async () => !(text = await next()).startsWith('The packages'));
    expect(text).toBe('hello from pip');
    // The first use is over and is not repeated.
    expect(await test.bash(client, id, 'echo never; touch /home/agent/ran', 'first')).toEqual(failed);
    expect(layers()).toHaveLength(2);
    // Where Debian's files would be nobody else can put any.
    const owners = layers().map((layer) => statSync(join(test.dir, '.packages', layer, 'root')).uid);
    expect(owners).toContain(process.getuid?.());
  });

  it('need a network, and say so', async () => {
    const client = test.client();
    const packages = { ...NONE, npm: ['nowhere'] };
    const { id } = await client.create({ networking: { type: 'none' }, packages });
    expect(await test.text(client, id, 'echo never')).toMatch("networking is 'none'");
  });

  describeWithout(`without ${absent}`, () => {
    it('need their manager, and say which program is missing', async () => {
      const client = test.client();
      const { id } = await client.create({ networking, packages: { ...NONE, [absent ?? '']: ['any'] } });
      expect(await test.text(client, id, 'echo never')).toMatch(`${absent}: ${absent} is not installed`);
    });
  });
});
