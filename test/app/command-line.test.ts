import { readCommand } from '../../app/commands/command-line.ts';
import { readMoveTarget } from '../../app/config/config.ts';

/** What the program is asked to do in place of serving. */

test('a role, or nothing, is no command', () => {
  expect(readCommand([])).toBeUndefined();
  expect(readCommand(['--role=worker'])).toBeUndefined();
});

test('a command has its folder and its options, in any order', () => {
  expect(readCommand(['backup', 'there'])).toEqual({ name: 'backup', folder: 'there', options: {} });
  expect(readCommand(['restore', '--secrets-key=a=b', 'there'])).toEqual({
    name: 'restore',
    folder: 'there',
    options: { 'secrets-key': 'a=b' },
  });
  expect(readCommand(['move', '--to=postgres://h/d', '--blobs=s3://b'])?.options).toEqual({
    to: 'postgres://h/d',
    blobs: 's3://b',
  });
});

test.each([
  [['bakup', 'there'], 'bakup is no command: there are backup, restore, move, and --role=<role>'],
  [['backup'], 'backup needs one folder: backup <folder>'],
  [['backup', 'a', 'b'], 'backup needs one folder: backup <folder>'],
  [['backup', 'a', '--to=x'], '--to=x is no option of backup: backup <folder>'],
  [['restore', 'a', '--secrets-key'], '--secrets-key is no option of restore: restore <folder>'],
  [['move', 'a', '--to=x'], 'a is not expected: move --to=postgres://'],
  [['move', '--blobs=s3://b'], 'move needs --to: move --to=postgres://'],
])('%j is refused in one line that says how it is written', (args, line) => {
  expect(() => readCommand(args)).toThrow(line);
});

test('where an installation is moved to is checked as the configuration is, and shows no password', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'a-secret-key' };
  const to = 'postgres://me@host:5432/db';
  expect(readMoveTarget(keys, { to, blobs: 's3://bucket/prefix?region=eu-west-1' })).toMatchObject({
    store: to,
    blobs: { address: { bucket: 'bucket', prefix: 'prefix/', region: 'eu-west-1' } },
  });
  // What BLOBS says is where bytes are, not where they go.
  expect(readMoveTarget({ ...keys, BLOBS: 's3://old' }, { to }).blobs).toBeUndefined();
  expect(() => readMoveTarget(keys, { to: 'mysql://me:password@host/db' })).toThrow(
    '--to=(hidden) is not allowed: postgres://user:password@host:port/database',
  );
  expect(() => readMoveTarget({}, { to, blobs: 's3://bucket' })).toThrow(
    'BLOBS=s3://bucket is not allowed: an s3:// address needs AWS_ACCESS_KEY_ID',
  );
});
