import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ContainerRelay, openRelay } from '../../../sandbox/client/hosts/container-relay.ts';
import { ContainerRelays } from '../../../sandbox/client/hosts/container-relays.ts';
import type { ContainerRuntime } from '../../../sandbox/client/hosts/container-runtime.ts';
import { unixTransport } from '../../../sandbox/client/connection/transport.ts';
import { openedForAll } from '../../support/opened.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../engine/until.ts';

/**
 * What leads into a container on another kernel, whose runtime is played: it runs the very command, with a socket of this machine
 * in place of the daemon's. No test here runs docker.
 */

const daemon = join(temporaryFolder(), 'daemon.sock');
const commands: (readonly string[])[] = [];
let server: Server;

const runtime: ContainerRuntime = {
  program: 'docker',
  run: () => Promise.reject(new Error('not asked for')),
  start(args) {
    commands.push(args);
    const code = args.at(-1)?.replace('/steadyhand/link/member.sock', daemon) ?? '';
    return spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'ignore'] });
  },
};

beforeAll(async () => {
  server = createServer(
    (request, response) => void text(request).then((said) => response.end(`you said ${said}`)),
  );
  server.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: line\r\n\r\n');
    socket.pipe(socket);
  });
  await once(server.listen(daemon), 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const relay = openedForAll<ContainerRelay>(() => openRelay(runtime, 'steadyhand-box'));

test('requests and their answers pass, over connections that are used again', async () => {
  const transport = unixTransport(relay.folder, 'member.sock');
  const say = async (what: string): Promise<string> => {
    const request = transport.request({ method: 'POST', path: '/' });
    request.end(what);
    const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    return await text(answer);
  };
  const long = 'x'.repeat(300_000);
  expect(await say('hello')).toBe('you said hello');
  expect(await say(long)).toBe(`you said ${long}`);
  transport.close();
  expect(commands.map((args) => args.slice(0, 5))).toEqual([
    ['exec', '--interactive', 'steadyhand-box', 'node', '-e'],
  ]);
});

test('a line that is kept passes bytes both ways', async () => {
  const transport = unixTransport(relay.folder, 'member.sock');
  const request = transport.request({
    path: '/',
    agent: false,
    headers: { connection: 'upgrade', upgrade: 'line' },
  });
  request.end();
  const [, socket] = (await once(request, 'upgrade')) as [unknown, NodeJS.ReadWriteStream];
  socket.write('there and back');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  expect(bytes.toString()).toBe('there and back');
  socket.end();
  transport.close();
});

test('a daemon that is not there is a lost connection', async () => {
  const ended: ContainerRuntime['start'] = () =>
    spawn(process.execPath, ['-e', 'process.exit(1)'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const gone = await openRelay({ ...runtime, start: ended }, 'x');
  const transport = unixTransport(gone.folder, 'member.sock');
  const request = transport.request({ path: '/' });
  request.end();
  const [error] = (await once(request, 'error')) as [NodeJS.ErrnoException];
  expect(['ECONNRESET', 'EPIPE']).toContain(error.code);
  transport.close();
  gone.close();
});

test('a relay that could not be opened is tried again, and ends without a word', async () => {
  let opened = 0;
  const relays = new ContainerRelays((...given) => {
    opened += 1;
    return opened < 3 ? Promise.reject(new Error('the disk is full')) : openRelay(...given);
  });
  await expect(relays.of(runtime, 'box')).rejects.toThrow('the disk is full');
  const failing = relays.of(runtime, 'box');
  relays.end('box');
  await expect(failing).rejects.toThrow('the disk is full');
  const first = await relays.of(runtime, 'box');
  expect(await relays.of(runtime, 'box')).toBe(first);
  relays.close();
  await until(() => !existsSync(first.folder));
});
