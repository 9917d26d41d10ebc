import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createFileService } from '../../../sandbox/guest/file-service.ts';
import { folderForEach } from '../../support/temporary-folder.ts';

const files = createFileService();
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('files inside a sandbox', () => {
  const dir = folderForEach();
  const at = (name: string): string => join(dir(), name);

  it('a FIFO, a device and a folder are refused at once', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    await expect(files.read(at('fifo'))).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(files.write(at('fifo'), bytes('x'))).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(files.read('/dev/zero')).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(files.read(dir())).rejects.toMatchObject({ code: 'EISDIR', path: dir() });
    await expect(files.write(dir(), bytes('x'))).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('what is there', async () => {
    writeFileSync(at('file'), 'four');
    symlinkSync('file', at('link'));
    symlinkSync('nowhere', at('dangling'));
    expect(await files.stat(at('link'))).toEqual({ kind: 'file', size: 4 });
    expect(await files.stat(dir())).toMatchObject({ kind: 'directory' });
    expect(await files.stat('/dev/null')).toMatchObject({ kind: 'other' });
    expect(await files.stat(at('dangling'))).toBeNull();
    expect(await files.stat(at('file/below'))).toBeNull();
  });

  it('any bytes, up to the limit, and files that say they are empty', async () => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await files.write(at('bytes'), all);
    expect(Buffer.from(await files.read(at('bytes')))).toEqual(Buffer.from(all));
    await expect(files.read(at('bytes'), 255)).rejects.toMatchObject({ code: 'EFBIG' });
    expect(await files.read(at('bytes'), 256)).toHaveLength(256);
    expect((await files.read('/proc/self/status')).length).toBeGreaterThan(100);
  });

  it('missing folders are made, and a missing file is ENOENT', async () => {
    await files.write(at('a/b/c'), bytes('deep'));
    expect(readFileSync(at('a/b/c'), 'utf8')).toBe('deep');
    await expect(files.read(at('nothing'))).rejects.toMatchObject({ name: 'GuestFileError', code: 'ENOENT' });
    await expect(files.write(at('a/b/c/d'), bytes('x'))).rejects.toMatchObject({ name: 'GuestFileError' });
  });

  it('the mode stays, links lead on, other names see the change, nothing else is left', async () => {
    writeFileSync(at('script'), 'old');
    chmodSync(at('script'), 0o754);
    symlinkSync('script', at('link'));
    await files.write(at('link'), bytes('new'));
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect([readFileSync(at('script'), 'utf8'), statSync(at('script')).mode & 0o7777]).toEqual([
      'new',
      0o754,
    ]);
    linkSync(at('script'), at('other-name'));
    await files.write(at('script'), bytes('newer'));
    expect(readFileSync(at('other-name'), 'utf8')).toBe('newer');
    symlinkSync('made-through', at('dangling'));
    await files.write(at('dangling'), bytes('x'));
    expect(readdirSync(dir()).sort()).toEqual(['dangling', 'link', 'made-through', 'other-name', 'script']);
  });

  it('a walk lists two levels in order, without what is hidden, into no link', async () => {
    for (const folder of ['b/x/deep', 'a', '.hidden']) mkdirSync(at(folder), { recursive: true });
    for (const file of ['a/2', 'a/10', 'a/.secret', 'b/x/deep/far', 'B']) writeFileSync(at(file), '');
    symlinkSync('b', at('c'));
    expect(await files.walk(dir(), 2)).toEqual(
      ['', 'B', 'a', 'a/10', 'a/2', 'b', 'b/x', 'c'].map((name) => (name === '' ? dir() : at(name))),
    );
    expect(await files.walk(at('c'), 1)).toEqual([at('c'), at('c/x')]);
    expect(await files.walk(at('B'), 2)).toEqual([at('B')]);
    await expect(files.walk(at('nothing'), 2)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
