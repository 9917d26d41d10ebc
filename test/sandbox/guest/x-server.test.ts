import { execFileSync, spawn } from 'node:child_process';
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeDisplayNumber } from '../../../sandbox/guest/display-service.ts';
import { adoptXServer, startXServer, type XServer, xServerCommand } from '../../../sandbox/guest/x-server.ts';
import { withLimits } from '../../../sandbox/isolation/limits/ulimits.ts';
import { processEnd } from '../../../sandbox/process-end.ts';
import { readProcess } from '../../../sandbox/process-tree.ts';
import { findProgram } from '../../../sandbox/find-program.ts';

const SIZE = { width: 640, height: 480 };
const LIMITS = { memory_mib: null, processes: null, disk_mib: null, files: null, cpus: null };

let folder: string;
let number: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadyhand-x-server-'));
  number = freeDisplayNumber();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a program beside a server as a sandbox does; the server as this process takes it over, and the shell's process id. */
function beside(server: readonly string[], program: readonly string[]): { server: XServer; pid: number } {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const descriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  // The program passes on what it reads of the server, which this process cannot inherit.
  const copy = ['/bin/bash', '-c', 'cat <&3 >"$1" & shift; exec "$@"', 'copy', pipe, ...program];
  const [shell = '', ...words] = withLimits(copy, LIMITS, [], server);
  const child = spawn(shell, words, { stdio: 'ignore' });
  void processEnd(child);
  return { server: adoptXServer(number, descriptor), pid: child.pid ?? 0 };
}

const starts: Record<string, () => XServer> = {
  'that this process starts': () => startXServer(number, SIZE),
  'that was started before': () => beside(xServerCommand(number, SIZE), ['/bin/true']).server,
};

describe.each(Object.entries(starts))('an X server %s', (_, start) => {
  it('is ready, and ends when it is told to', async () => {
    const server = start();
    await server.ready;
    const screens = execFileSync('xdotool', ['getdisplaygeometry'], { env: { DISPLAY: `:${number}` } });
    expect(String(screens).trim()).toBe('640 480');
    server.kill('SIGTERM');
    await server.ended;
    server.kill('SIGKILL');
  });

  it('says why it ended before it was ready', async () => {
    const first = startXServer(number, SIZE);
    await first.ready;
    await expect(start().ready).rejects.toThrow(/^Xvfb ended( with code 1)?: _XSERV[^]*already running/);
    first.kill('SIGTERM');
    await first.ended;
  });
});

it('a server that is started before a program is nobody’s child, and leaves no shell behind', async () => {
  const { server, pid } = beside(xServerCommand(number, SIZE), [findProgram('sleep') ?? '', '60']);
  await server.ready;
  const children = String(execFileSync('ps', ['-eo', 'ppid=,comm=']))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent]) => Number(parent) === pid)
    .map(([, name]) => name);
  expect(children).toEqual(['cat']);
  expect(readProcess(pid)?.name).toBe('sleep');
  server.kill('SIGTERM');
  await server.ended;
  process.kill(pid);
});
