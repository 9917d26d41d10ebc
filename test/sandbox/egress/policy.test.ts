import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Networking } from '@steadyhand/contracts';
import { refusedKind } from '../../../sandbox/egress/addresses.ts';
import { hostRule } from '../../../sandbox/egress/host-rule.ts';
import { machineMirrors, machineSources } from '../../../sandbox/packages/machine-sources.ts';
import { EgressPolicy, type EgressSettings } from '../../../sandbox/egress/policy.ts';
import { readPrivateHosts } from '../../../sandbox/egress/private-hosts.ts';
import { readTarget, type Target } from '../../../sandbox/egress/target.ts';
import { assertProperty, fc } from '../../support/fast-check.ts';
import { folderForEach } from '../../support/temporary-folder.ts';
import { limitedTo } from '../helpers/networking.ts';

const target = (text: string): Target => {
  const read = readTarget(text, 443);
  if (read === null) throw new Error(`${text} is no target`);
  return read;
};
const limited = (allowed_hosts: readonly string[], allow_package_managers = false): Networking =>
  limitedTo(allowed_hosts, allow_package_managers);
const policy = (networking: Networking, settings: Partial<EgressSettings> = {}): EgressPolicy =>
  new EgressPolicy(networking, { allow_private: [], mirrors: [], ...settings });

describe('addresses', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:0:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['::ffff:a00:1', 'private'],
    ['fd00::1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['168.63.129.16', "the cloud's"],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['fe80::1', 'link-local'],
    ['fd00:ec2::254', 'private'],
    ['100.100.100.200', 'carrier-grade NAT'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['192.0.0.8', 'reserved'],
    ['192.0.0.170', 'reserved'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.255', 'documentation'],
    ['203.0.113.80', 'documentation'],
    ['192.88.99.1', 'reserved'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['::ffff:198.18.0.1', 'benchmarking'],
    ['64:ff9b::c612:1', 'benchmarking'],
    ['64:ff9b:1::808:808', 'translated'],
    ['100::1', 'reserved'],
    ['100:0:0:1::1', 'reserved'],
    ['2001:1::4', 'reserved'],
    ['2001:2::1', 'benchmarking'],
    ['2001:10::1', 'reserved'],
    ['2001:1ff::1', 'reserved'],
    ['2001:db8::1', 'documentation'],
    ['3fff:fff::1', 'documentation'],
    ['5f00::1', 'reserved'],
    ['fec0::1', 'private'],
    ['200::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['9000::1', 'reserved'],
    ['::127.0.0.1', 'translated'],
    ['2001:0:1::1', 'translated'],
    ['somewhere', 'malformed'],
  ])('%s is refused as %s', (address, kind) => {
    expect(refusedKind(address)).toBe(kind);
  });

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.0.9',
    '192.0.0.10',
    '192.0.1.1',
    '198.20.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2001:1::1',
    '2001:1::2',
    '2001:1::3',
    '2001:3::1',
    '2001:4:112::1',
    '2001:20::1',
    '2001:30::1',
    '2001:200::1',
    '3fff:1000::1',
  ])('%s is reachable from everywhere', (address) => expect(refusedKind(address)).toBeNull());

  it("the host's own addresses are refused, whatever they are", () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? []))
      expect(refusedKind(address.replace(/%.*/, ''))).not.toBeNull();
  });

  it('an IPv4 address is refused alike in every form that carries it', () => {
    assertProperty(100, fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const expected = refusedKind(address);
      for (const form of [`::ffff:${address}`, `::ffff:${groups}`, `64:ff9b::${groups}`, `2002:${groups}::1`])
        expect(refusedKind(form)).toBe(expected);
    });
  });
});

describe('the policy', () => {
  it('none allows nothing', () => {
    expect(policy({ type: 'none' }).nameRefusal(target('example.com:443'))).toMatch('no network');
  });

  it('unrestricted allows every name and port, and no address of the host or its networks', () => {
    const open = policy({ type: 'unrestricted' });
    expect(open.nameRefusal(target('example.com:22'))).toBeNull();
    expect(open.nameRefusal(target('0x7f.1:80'))).toMatch('loopback');
    expect(open.nameRefusal(target('[::ffff:169.254.169.254]:80'))).toMatch('link-local');
    expect(open.addressRefusal(target('example.com:80'), '10.0.0.1')).toMatch('resolves to 10.0.0.1');
  });

  it('limited allows its names, those below a star, and the ports 80 and 443 where none is given', () => {
    const some = policy(
      limited(['Example.com', '*.example.org', 'https://api.example.net/', 'db.example.com:5432']),
    );
    for (const ok of ['example.com:443', 'EXAMPLE.COM.:80', 'a.example.org:443', 'a.b.example.org:80'])
      expect(some.nameRefusal(target(ok))).toBeNull();
    for (const ok of ['api.example.net:443', 'db.example.com:5432'])
      expect(some.nameRefusal(target(ok))).toBeNull();
    for (const no of ['example.com:8080', 'www.example.com:443', 'example.org:443', 'notexample.org:443'])
      expect(some.nameRefusal(target(no))).toMatch('not among');
    for (const no of ['db.example.com:443', 'example.com.evil.test:443', 'pypi.org:443'])
      expect(some.nameRefusal(target(no))).toMatch('not among');
  });

  it('the package managers come with a word, and with the mirrors of the machine', () => {
    const packages = policy(limited([], true), { mirrors: ['mirror.corp:8080'] });
    for (const ok of [
      'pypi.org',
      'files.pythonhosted.org',
      'registry.npmjs.org',
      'deb.debian.org:80',
      'static.crates.io',
    ])
      expect(packages.nameRefusal(target(ok))).toBeNull();
    expect(packages.nameRefusal(target('mirror.corp:8080'))).toBeNull();
    expect(packages.addressRefusal(target('mirror.corp:8080'), '10.0.0.9')).toBeNull();
    expect(packages.addressRefusal(target('mirror.corp:22'), '10.0.0.9')).toMatch('private');
    expect(
      policy(limited([]), { mirrors: ['mirror.corp:8080'] }).nameRefusal(target('mirror.corp:8080')),
    ).not.toBeNull();
  });

  it('the public name of a registry may lead to a mirror of the network, and to nothing of the machine', () => {
    const open = policy({ type: 'unrestricted' });
    for (const address of ['10.0.0.9', '100.64.0.1', '203.0.113.80', 'fd00::9'])
      expect(open.addressRefusal(target('pypi.org:443'), address)).toBeNull();
    for (const address of ['127.0.0.1', '169.254.169.254', '168.63.129.16', '::1', 'fe80::1'])
      expect(open.addressRefusal(target('pypi.org:443'), address)).not.toBeNull();
    expect(open.addressRefusal(target('pypi.org:22'), '10.0.0.9')).toMatch('private');
    expect(policy(limited(['pypi.org'])).addressRefusal(target('pypi.org:443'), '10.0.0.9')).toMatch(
      'private',
    );
  });

  it.each(['metadata.google.internal', 'METADATA.google.internal.', 'metadata', 'instance-data'])(
    '%s is refused wherever it leads, unless the operator names it',
    (name) => {
      expect(policy({ type: 'unrestricted' }).nameRefusal(target(`${name}:80`))).toMatch('credentials');
      const named = policy({ type: 'unrestricted' }, { allow_private: [name.replace(/\.$/, '')] });
      expect(named.nameRefusal(target(`${name}:80`))).toBeNull();
    },
  );

  it('a name that does not resolve goes to no upstream proxy, but for hosts that the operator named', () => {
    const local = policy(
      { type: 'unrestricted' },
      { allow_private: ['build.corp'], mirrors: ['pip.corp:443'] },
    );
    expect(local.unresolvedRefusal(target('example.com:443'))).toMatch('does not resolve on this machine');
    for (const name of ['build.corp:22', 'pip.corp:443', 'pypi.org:443'])
      expect(local.unresolvedRefusal(target(name))).toBeNull();
    expect(local.unresolvedRefusal(target('pypi.org:22'))).not.toBeNull();
  });

  it('where names are left to the upstream proxy, those that lead inside by what they say are refused', () => {
    const open = policy({ type: 'unrestricted' }, { resolve: 'upstream', allow_private: ['wiki.corp'] });
    for (const name of ['example.com', 'wiki.corp', '8.8.8.8.nip.io', 'a-1-2-3-4-5.example'])
      expect(open.unresolvedRefusal(target(name))).toBeNull();
    for (const name of [
      'intranet',
      'db.internal',
      'printer.local',
      'a.localhost',
      'x.localdomain',
      'a.b.corp',
    ])
      expect(open.unresolvedRefusal(target(name))).toMatch('inner network');
    for (const name of ['127.0.0.1.nip.io', 'app.10-0-0-7.sslip.io', '169.254.169.254.example.com'])
      expect(open.unresolvedRefusal(target(name))).toMatch(/spells [\d.]+, which is refused/);
  });

  it('an operator may allow internal hosts, by name or by address', () => {
    const settings = { allow_private: ['build.corp', '*.lab', 'one.host:81', '10.2.0.0/16', 'fd00::5'] };
    const open = policy({ type: 'unrestricted' }, settings);
    expect(open.addressRefusal(target('build.corp:22'), '192.168.1.1')).toBeNull();
    expect(open.addressRefusal(target('a.lab:80'), '127.0.0.1')).toBeNull();
    expect(open.addressRefusal(target('one.host:81'), '10.9.9.9')).toBeNull();
    expect(open.addressRefusal(target('one.host:82'), '10.9.9.9')).not.toBeNull();
    expect(open.nameRefusal(target('10.2.3.4:80'))).toBeNull();
    expect(open.nameRefusal(target('[fd00::5]:80'))).toBeNull();
    expect(open.nameRefusal(target('10.3.3.4:80'))).not.toBeNull();
    // Beside the list of the environment, not instead of it.
    expect(policy(limited([]), settings).nameRefusal(target('build.corp:443'))).toMatch('not among');
  });

  it.each([
    '*',
    '*.',
    'a*b.com',
    'http://',
    'a b',
    'example.com:0',
    'example.com/path',
    'user@example.com',
    '[::1',
  ])('%p is no entry of a list', (text) => {
    expect(hostRule(text)).toBeNull();
    expect(() => readPrivateHosts([text])).toThrow(TypeError);
  });
});

const describeWithApt = existsSync('/usr/bin/apt-config') ? describe : describe.skip;

describe("the machine's mirrors", () => {
  const root = folderForEach();

  it('are read from the configuration of apt, pip and npm, and from the environment', () => {
    mkdirSync(join(root(), 'etc/apt/sources.list.d'), { recursive: true });
    writeFileSync(
      join(root(), 'etc/apt/sources.list'),
      'deb [arch=amd64] http://apt.corp/debian bookworm main\n# deb http://old.corp x\n',
    );
    writeFileSync(
      join(root(), 'etc/apt/sources.list.d/a.sources'),
      'Types: deb\nURIs: https://apt2.corp:8443/debian\n',
    );
    writeFileSync(join(root(), 'etc/pip.conf'), '[global]\nindex-url = https://user:word@pip.corp/simple\n');
    writeFileSync(
      join(root(), '.npmrc'),
      'registry=http://npm.corp:4873/\n//npm.corp/:_authToken=x\n@own:registry=https://own.corp/\n',
    );
    expect(machineMirrors(machineSources({ GOPROXY: 'https://go.corp,direct' }, root(), root()))).toEqual([
      'apt.corp:80',
      'apt2.corp:8443',
      'go.corp:443',
      'npm.corp:4873',
      'own.corp:443',
      'pip.corp:443',
    ]);
    const missing = join(root(), 'missing');
    expect(machineMirrors(machineSources({}, missing, missing))).toEqual([]);
  });

  describeWithApt('where APT_CONFIG is set (needs apt-config)', () => {
    it('are those of the folder that it names', () => {
      writeFileSync(join(root(), 'apt.conf'), `Dir::Etc::sourcelist "${root()}/list";\n`);
      writeFileSync(join(root(), 'list'), 'deb http://elsewhere.corp/debian bookworm main\n');
      const env = { PATH: process.env['PATH'], APT_CONFIG: join(root(), 'apt.conf') };
      expect(machineMirrors(machineSources(env, root(), root()))).toContain('elsewhere.corp:80');
    });
  });
});
