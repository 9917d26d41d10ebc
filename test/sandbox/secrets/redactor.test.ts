import { createRedactor } from '../../../sandbox/secrets/redactor.ts';
import { assertProperty, fc } from '../../support/fast-check.ts';

const VALUE = 'pa$$ \'w/ö"rd&<1>';
const redactor = createRedactor([{ name: 'KEY', value: VALUE }]);

it.each<[string, string]>([
  ['as it is', VALUE],
  ['JSON', JSON.stringify({ VALUE }).slice(10, -2)],
  ['JSON in ASCII', JSON.stringify(VALUE).slice(1, -1).replace('ö', '\\u00f6')],
  ['a URL', encodeURIComponent(VALUE)],
  ['a form', new URLSearchParams({ q: VALUE }).toString().slice(2)],
  ['base64', Buffer.from(VALUE).toString('base64').replace(/=+$/, '').slice(0, -1)],
  ['hexadecimal', Buffer.from(VALUE).toString('hex')],
  ['HTML', 'pa$$ \'w/ö"rd&amp;&lt;1&gt;'],
  ['a shell’s quotes', "pa$$ '\\''w/ö\"rd&<1>"],
  ["bash's %q", String.raw`pa\$\$\ \'w/\ö\"rd\&\<1\>`],
  ['broken lines', `${VALUE.slice(0, 5)}\n${VALUE.slice(5)}`],
])('a value is taken out as %s', (_, shown) => {
  expect(redactor.redact(`before ${shown} after`)).toBe('before [secret:KEY] after');
});

it('is found in base64 wherever it stands in what was encoded', () => {
  for (const before of ['', 'a', 'ab', 'user:'])
    for (const after of ['', 'x', 'xyz']) {
      const encoded = Buffer.from(before + VALUE + after).toString('base64');
      expect(redactor.redact(encoded)).toContain('[secret:KEY]');
      const core = Buffer.from(VALUE).toString('base64').slice(4, 16);
      expect(redactor.redact(encoded)).not.toContain(core);
    }
});

it('takes a value of several lines line by line, as an editor numbers them', () => {
  const pem = '-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA7\nbu3Xz\n-----END KEY-----';
  const { redact } = createRedactor([{ name: 'PEM', value: pem }]);
  expect(redact(pem)).toBe('[secret:PEM]');
  expect(redact('     1\t-----BEGIN KEY-----\n     2\tMIIEpAIBAAKCAQEA7\n')).toBe(
    '     1\t[secret:PEM]\n     2\t[secret:PEM]\n',
  );
  expect(redact(pem.replaceAll('\n', '\r\n'))).toBe('[secret:PEM]');
  const wrapped = Buffer.from(pem.repeat(2))
    .toString('base64')
    .replaceAll(/(.{16})/g, '$1\n');
  expect(redact(wrapped)).not.toContain(Buffer.from(pem).toString('base64').slice(0, 16));
});

it('takes values that overlap, or lie in one another, together', () => {
  const { redact } = createRedactor([
    { name: 'SHORT', value: 'abcd' },
    { name: 'LONG', value: 'abcdefgh' },
    { name: 'NEXT', value: 'ghijkl' },
  ]);
  expect(redact('x abcdefgh y abcd z')).toBe('x [secret:LONG] y [secret:SHORT] z');
  expect(redact('abcdefghijkl')).toBe('[secret:LONG]');
});

it('takes the larger part of a value where an output was cut in it', () => {
  const { redact } = createRedactor([{ name: 'K', value: '0123456789' }]);
  expect(redact('a 0123456\n<response clipped>\n3456789 b')).toBe(
    'a [secret:K]\n<response clipped>\n[secret:K] b',
  );
  expect(redact('first half: 01234567\n')).toBe('first half: [secret:K]\n');
  expect(redact('456789 was the rest')).toBe('[secret:K] was the rest');
  expect(redact('0123 is a number, 789 too')).toBe('0123 is a number, 789 too');
});

it('takes what text recognition makes of a value out of what was read, and out of nothing else', () => {
  const { redact, redactRead } = createRedactor([{ name: 'K', value: 'lO0l-S3cret5' }]);
  expect(redactRead('reads: "1001 -s3cretS" at')).toBe('reads: "[secret:K]" at');
  expect(redact('reads: "1001 -s3cretS" at')).toBe('reads: "1001 -s3cretS" at');
});

it('changes nothing without a value in it, and leaves no value', () => {
  const value = fc
    .string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
    .filter((text) => text.trim().length > 3);
  assertProperty(
    500,
    value,
    fc.string({ maxLength: 30 }),
    fc.string({ maxLength: 30 }),
    (secret, before, after) => {
      const { redact } = createRedactor([{ name: 'N', value: secret }]);
      const shown = `${before}${secret}${after}`;
      expect(redact(shown).replaceAll('[secret:N]', '')).not.toContain(secret);
      expect(createRedactor([]).redact(shown)).toBe(shown);
    },
  );
  expect(redactor.redact('nothing here\nat all')).toBe('nothing here\nat all');
});
