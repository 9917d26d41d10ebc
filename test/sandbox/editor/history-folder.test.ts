import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryFolder } from '../../../sandbox/daemon/computer/history-folder.ts';
import { editorBench } from './editor-bench.ts';
import { folderForEach } from '../../support/temporary-folder.ts';

describe('the edit history on disk', () => {
  const folder = folderForEach();

  it('lets another daemon undo what the one before has edited, edit by edit', async () => {
    const history = await HistoryFolder.open(folder());
    const editor = await editorBench('default', history);
    await editor.put('f', 'a\r\n\tb\r\n');
    await editor.call({ command: 'str_replace', path: 'DIR/f', old_str: 'a', new_str: 'x' });
    await editor.call({ command: 'insert', path: 'DIR/f', insert_line: 0, new_str: 'top' });
    writeFileSync(join(folder(), 'draft-7'), 'cut short');
    const later = await HistoryFolder.open(folder());
    expect(readdirSync(folder())).not.toContain('draft-7');
    const path = join(editor.folder, 'f');
    expect(Buffer.from((await later.pop(path))!).toString()).toBe('x\r\n\tb\r\n');
    expect(Buffer.from((await later.pop(path))!).toString()).toBe('a\r\n\tb\r\n');
    expect(await later.pop(path)).toBeNull();
    expect(readdirSync(folder())).toEqual([]);
    await editor.close();
  });

  it('forgets the oldest above its size, also of an earlier daemon', async () => {
    const first = await HistoryFolder.open(folder(), 100);
    for (const name of ['a', 'b', 'c']) await first.push(name, Buffer.alloc(40, name));
    expect(await first.pop('a')).toBeNull();
    const later = await HistoryFolder.open(folder(), 100);
    await later.push('d', Buffer.alloc(40));
    expect(readdirSync(folder())).toHaveLength(2);
    expect(await later.pop('b')).toBeNull();
    expect((await later.pop('c'))?.length).toBe(40);
    await later.push('large', Buffer.alloc(500));
    expect((await later.pop('large'))?.length).toBe(500);
  });

  it('undoes from memory what could not be written', async () => {
    const history = await HistoryFolder.open(folder());
    rmSync(folder(), { recursive: true });
    await history.push('a', Buffer.from('kept'));
    expect(Buffer.from((await history.pop('a'))!).toString()).toBe('kept');
  });
});
