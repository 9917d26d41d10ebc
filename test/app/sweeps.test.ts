import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { startSweeps, type Sweeps } from '../../app/sweeps.ts';
import { until } from '../engine/until.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR = 60 * 60 * 1000;
const dataDir = temporaryFolder();
const engine = path.join(dataDir, 'engine');
const sweepings: Sweeps[] = [];

beforeEach(() => {
  // Files and the event loop are the real ones.
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout', 'performance'],
  });
});
afterEach(() => {
  for (const sweeps of sweepings.splice(0)) sweeps.stop();
  jest.useRealTimers();
});

function started(sweep: () => Promise<void>): Sweeps {
  const sweeps = startSweeps({ sweep }, dataDir, pino({ level: 'silent' }));
  sweepings.push(sweeps);
  return sweeps;
}

function leaveDrafts(): void {
  mkdirSync(engine, { recursive: true });
  for (const file of [path.join(dataDir, 'api-key.draft'), path.join(engine, 'token.1.draft')]) {
    writeFileSync(file, 'x');
    utimesSync(file, 0, 0);
  }
}

const drafts = (): string[] =>
  [dataDir, engine].flatMap((folder) => readdirSync(folder)).filter((name) => name.endsWith('.draft'));

it('removes at once and every hour what killed processes have left, and sweeps the store', async () => {
  let swept = 0;
  leaveDrafts();
  const sweeps = started(async () => void (swept += 1));
  await until(() => sweeps.state().last_at !== null);
  expect([drafts(), swept]).toEqual([[], 1]);
  leaveDrafts();
  jest.advanceTimersByTime(HOUR - 1000);
  expect([drafts().length, swept]).toEqual([2, 1]);
  jest.advanceTimersByTime(1000);
  await until(() => swept === 2);
  expect(drafts()).toEqual([]);
});

it('tells why a sweep failed, and sweeps again in an hour', async () => {
  let swept = 0;
  const sweeps = started(async () => {
    swept += 1;
    if (swept === 1) throw new Error('the disk is full');
  });
  await until(() => sweeps.state().last_at !== null);
  expect(sweeps.state().failure).toBe('the disk is full');
  jest.advanceTimersByTime(HOUR);
  await until(() => sweeps.state().failure === null);
  expect(swept).toBe(2);
});
