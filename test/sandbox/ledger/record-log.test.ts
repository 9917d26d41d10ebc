import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RecordLog,
  RecordLogDamagedError,
  type RecordPosition,
} from '../../../sandbox/daemon/ledger/record-log.ts';
import { folderForEach } from '../../support/temporary-folder.ts';

const RECORDS = [
  { a: 1 },
  { text: 'line\nbreaks and ünïcode 🎉' },
  { long: 'x'.repeat(5_000) },
  { last: true },
];

describe('the record log', () => {
  const folder = folderForEach();
  let path: string;
  beforeEach(() => {
    path = join(folder(), 'ledger');
  });

  async function write(records: readonly unknown[]): Promise<void> {
    const log = await RecordLog.open(path, () => undefined);
    for (const record of records) await log.append(record);
    await log.close();
  }

  async function read(): Promise<unknown[]> {
    const found: unknown[] = [];
    const log = await RecordLog.open(path, (record) => found.push(record));
    await log.close();
    return found;
  }

  it('gives back what was appended, also by position, and goes on after being opened again', async () => {
    await write(RECORDS);
    const positions: RecordPosition[] = [];
    const log = await RecordLog.open(path, (_record, position) => positions.push(position));
    positions.push(await log.append({ more: 1 }));
    for (const [index, record] of [...RECORDS, { more: 1 }].entries()) {
      expect(await log.read(positions[index]!)).toEqual(record);
    }
    await log.close();
    expect(await read()).toEqual([...RECORDS, { more: 1 }]);
  });

  it('drops a last record cut short at any byte, and nothing else', async () => {
    await write(RECORDS.slice(0, 2));
    const kept = readFileSync(path).length;
    await write([{ torn: 'record' }]);
    const whole = readFileSync(path);
    for (let size = kept; size < whole.length; size += 1) {
      writeFileSync(path, whole.subarray(0, size));
      expect(await read()).toEqual(RECORDS.slice(0, 2));
      await write([{ after: size }]);
      expect(await read()).toEqual([...RECORDS.slice(0, 2), { after: size }]);
    }
  });

  it('drops a last record whose bytes never reached the disk', async () => {
    await write(RECORDS);
    const whole = readFileSync(path);
    const start = whole.lastIndexOf('\n', whole.length - 2) + 1;
    writeFileSync(path, Buffer.concat([whole.subarray(0, start), Buffer.alloc(whole.length - start)]));
    expect(await read()).toEqual(RECORDS.slice(0, -1));
  });

  it.each([
    ['a changed byte', (lines: string[]) => lines.with(0, lines[0]!.replace('"a":1', '"a":2'))],
    ['a record taken out', (lines: string[]) => lines.toSpliced(1, 1)],
    ['two records swapped', (lines: string[]) => [lines[1]!, lines[0]!, ...lines.slice(2)]],
  ])('refuses a file with %s before its end', async (_name, damage) => {
    await write(RECORDS);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, damage(lines).join('\n'));
    await expect(read()).rejects.toBeInstanceOf(RecordLogDamagedError);
  });

  it('reads a file of many megabytes', async () => {
    const records = Array.from({ length: 300 }, (_, index) => ({ index, text: 'y'.repeat(10_000) }));
    const log = await RecordLog.open(path, () => undefined);
    for (const record of records) await log.append(record, false);
    await log.close();
    expect(await read()).toEqual(records);
    truncateSync(path, readFileSync(path).length - 1);
    expect(await read()).toEqual(records.slice(0, -1));
  });
});
