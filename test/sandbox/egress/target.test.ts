import { readTarget } from '../../../sandbox/egress/target.ts';

describe('a target', () => {
  it.each([
    ['EXAMPLE.com:443', 'example.com', 443],
    ['example.com.:443', 'example.com', 443],
    ['bücher.example:443', 'xn--bcher-kva.example', 443],
    ['ｅｘａｍｐｌｅ.com:443', 'example.com', 443],
    ['xn--bcher-kva.example:8443', 'xn--bcher-kva.example', 8443],
    ['2130706433:80', '127.0.0.1', 80],
    ['0x7f000001:80', '127.0.0.1', 80],
    ['0X7F.1:80', '127.0.0.1', 80],
    ['0177.0.0.01:80', '127.0.0.1', 80],
    ['127.1:80', '127.0.0.1', 80],
    ['127.0.0.1.:80', '127.0.0.1', 80],
    ['[::1]:80', '::1', 80],
    ['[0:0::0:1]:80', '::1', 80],
    ['[::FFFF:127.0.0.1]:80', '::ffff:7f00:1', 80],
  ])('%s has one spelling', (text, host, port) => {
    expect(readTarget(text)).toEqual({ host, port });
  });

  // The URL parser of Node 20.3.0 does not know digits in circles. To refuse them is as safe.
  it('an address in circled digits is the address in plain ones, or none', () => {
    expect([null, { host: '127.0.0.1', port: 80 }]).toContainEqual(readTarget('①②⑦.0.0.1:80'));
  });

  it.each([
    'example.com',
    ':80',
    'user@example.com:80',
    'example.com@127.0.0.1:80',
    'example.com#@127.0.0.1:80',
    'example.com\\@127.0.0.1:80',
    'exa mple.com:80',
    '%31%32%37.0.0.1:80',
    '[fe80::1%eth0]:80',
    'a..b:80',
    '300.0.0.1:80',
    'example.com:0',
    'example.com:65536',
    'example.com:80:90',
    `${'a'.repeat(64)}.com:80`,
    '',
  ])('%p is none', (text) => {
    expect(readTarget(text)).toBeNull();
  });
});
