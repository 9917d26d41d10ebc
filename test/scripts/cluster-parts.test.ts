import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../engine/until.ts';
import { folderForEach } from '../support/temporary-folder.ts';

/** What scripts/cluster.mjs is made of, driven by node as the script itself is. */

const lib = path.resolve(__dirname, '../../scripts/lib/cluster');
const dir = folderForEach();

/** Runs a piece of ESM; answers with what it prints by `tell`, value by value. */
function evaluated(code: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const prelude = `
      import fs from 'node:fs';
      import http from 'node:http';
      import net from 'node:net';
      import { once } from 'node:events';
      import { setTimeout as pause } from 'node:timers/promises';
      import { Part } from ${JSON.stringify(path.join(lib, 'part.mjs'))};
      import { Link } from ${JSON.stringify(path.join(lib, 'link.mjs'))};
      import { Balancer } from ${JSON.stringify(path.join(lib, 'balancer.mjs'))};
      import { bound } from ${JSON.stringify(path.join(lib, 'bound.mjs'))};
      const dir = ${JSON.stringify(dir())};
      const tell = (value) => process.stdout.write(JSON.stringify(value ?? null) + '\\n');
      const until = async (holds) => { while (!(await holds())) await pause(10); };
      const listening = async (server) => { await once(server.listen(0, '127.0.0.1'), 'listening'); return server.address().port; };
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', prelude + code]);
    let errors = '';
    const told: unknown[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
    child.once('close', (exit) => (exit === 0 ? resolve(told) : reject(new Error(errors))));
  });
}

/** A program that says when it serves, and stays. */
const SERVING = `"console.log('serving'); setInterval(() => undefined, 1000)"`;
const PART = `new Part({ name: 'part', program: process.execPath, args: ['-e', ${SERVING}], env: process.env,
  log: dir + '/part.log', ready: (since) => since.includes('serving') }, (line) => line && tell(line))`;

describe('a part', () => {
  test('is started again when it was killed from elsewhere, and says so', async () => {
    const [first, line, second] = await evaluated(`
      const part = ${PART};
      await part.start();
      tell([part.state, part.starts]);
      const { pid } = part;
      process.kill(pid, 'SIGKILL');
      await until(() => part.state === 'serves' && part.pid !== pid);
      tell([part.state, part.starts]);
      await part.stop();
    `);
    expect(first).toEqual(['serves', 1]);
    expect(line).toBe('part ended (SIGKILL) and is started again');
    expect(second).toEqual(['serves', 2]);
  });

  test('stays away when its cluster killed it, until it is started', async () => {
    const told = await evaluated(`
      const part = ${PART};
      await part.start();
      const { pid } = part;
      await part.kill();
      tell(part.state);
      await part.start();
      tell([part.state, part.starts, part.pid === pid]);
      await part.stop();
      tell(part.state);
    `);
    expect(told).toEqual(['stopped', ['serves', 2, false], 'stopped']);
  });

  test('that does not serve in its time is ended, and its last words are told', async () => {
    const [message] = await evaluated(`
      const part = new Part({ name: 'part', program: process.execPath, args: ['-e', "console.log('no disk'); process.exit(3)"],
        env: process.env, log: dir + '/part.log', ready: () => false, startLimitMs: 1500 });
      await part.start().catch((error) => tell(error.message));
      tell(part.state);
    `);
    expect(message).toMatch(/^part does not serve; the end of .*part\.log:\n(?:no disk\n)*/);
  });

  const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;
  describeOnLinux('on Linux (elsewhere it stays)', () => {
    test('ends with the script, also when that is killed', async () => {
      const script = spawn(process.execPath, [
        '--input-type=module',
        '--eval',
        `import { Part } from ${JSON.stringify(path.join(lib, 'part.mjs'))};
       import { bound } from ${JSON.stringify(path.join(lib, 'bound.mjs'))};
       const [program, ...args] = bound([process.execPath, '-e', ${SERVING}]);
       const part = new Part({ name: 'part', program, args, env: process.env, log: ${JSON.stringify(path.join(dir(), 'part.log'))},
         ready: (since) => since.includes('serving') });
       await part.start();
       console.log(part.pid);`,
      ]);
      const pid = await new Promise<number>((resolve) =>
        createInterface({ input: script.stdout }).once('line', (line) => resolve(Number(line))),
      );
      expect(fs.existsSync(`/proc/${pid}`)).toBe(true);
      const ended = new Promise((resolve) => script.once('exit', resolve));
      script.kill('SIGKILL');
      await ended;
      await until(() => !fs.existsSync(`/proc/${pid}`));
    });
  });
});

describe('a link', () => {
  const ECHO = `
    const echo = net.createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    const link = await new Link('127.0.0.1', { host: '127.0.0.1', port: await listening(echo) }).listen();
    const connected = async () => {
      const socket = net.connect(link.port, link.host).on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    };
    const closed = (socket) => new Promise((resolve) => socket.once('close', resolve));
    const said = async (socket, text) => { socket.write(text); return String((await once(socket, 'data'))[0]); };
  `;

  test('passes on, is cut in silence, and after that connections begin anew', async () => {
    const told = await evaluated(`${ECHO}
      const before = await connected();
      tell(await said(before, 'hello'));
      link.cut();
      let heard = 0;
      before.on('data', () => heard++);
      before.write('lost');
      const during = await connected();
      during.on('data', () => heard++);
      during.write('lost, too');
      // What goes another way round would have come back by now.
      const other = net.connect(echo.address().port, '127.0.0.1');
      tell(await said(other, 'round'));
      tell(heard);
      const both = Promise.all([closed(before), closed(during)]);
      link.heal();
      await both;
      tell(await said(await connected(), 'again'));
      process.exit(0);
    `);
    expect(told).toEqual(['hello', 'round', 0, 'again']);
  });

  test('that refuses drops who is connected and who connects', async () => {
    const told = await evaluated(`${ECHO}
      const before = await connected();
      const dropped = closed(before);
      link.refuse();
      await dropped;
      const late = net.connect(link.port, link.host).on('error', () => undefined);
      await closed(late);
      link.heal();
      tell(await said(await connected(), 'again'));
      process.exit(0);
    `);
    expect(told).toEqual(['again']);
  });

  test('that is slow keeps the order, also when it becomes fast in the middle', async () => {
    const told = await evaluated(`${ECHO}
      const socket = await connected();
      let text = '';
      socket.on('data', (chunk) => (text += chunk));
      link.delayMs = 60;
      for (const part of ['a', 'b', 'c']) { socket.write(part); await pause(5); }
      link.delayMs = 0;
      for (const part of ['d', 'e']) { socket.write(part); await pause(5); }
      await until(() => text.length === 5);
      tell(text);
      process.exit(0);
    `);
    expect(told).toEqual(['abcde']);
  });
});

describe('the proxy', () => {
  const SERVERS = `
    const server = (name) => http.createServer((request, response) => {
      if (request.url === '/readyz') return void response.end();
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk)).on('end', () =>
        response.end(JSON.stringify({ name, from: request.headers['x-forwarded-for'], body: String(Buffer.concat(chunks)) })));
    });
    const a = server('a');
    const b = server('b');
    const balancer = new Balancer([
      { host: '127.0.0.1', port: await listening(a) },
      { host: '127.0.0.1', port: await listening(b) },
    ]);
    await balancer.listen('127.0.0.1', 0);
    const url = 'http://127.0.0.1:' + balancer.port;
    const ask = async (body) => (await fetch(url, { method: 'POST', body })).json();
  `;

  test('hands requests to the servers in turn, with the address that they came from', async () => {
    const [answers] = await evaluated(`${SERVERS}
      tell([await ask('1'), await ask('2'), await ask('3')]);
      process.exit(0);
    `);
    const list = answers as readonly { name: string; from: string; body: string }[];
    expect(list.map(({ body, from }) => [body, from])).toEqual([
      ['1', '127.0.0.1'],
      ['2', '127.0.0.1'],
      ['3', '127.0.0.1'],
    ]);
    expect(new Set(list.map(({ name }) => name))).toEqual(new Set(['a', 'b']));
  });

  test('passes over a server that is gone, body and all, and answers 502 when none is left', async () => {
    const told = await evaluated(`${SERVERS}
      a.close(); a.closeAllConnections();
      const names = new Set();
      for (let n = 0; n < 4; n++) names.add((await ask('x'.repeat(100_000))).name);
      tell([...names]);
      b.close(); b.closeAllConnections();
      tell((await fetch(url, { method: 'POST', body: 'x' })).status);
      process.exit(0);
    `);
    expect(told).toEqual([['b'], 502]);
  });

  test('sends a stream of events on as it comes, and carries upgraded connections', async () => {
    const told = await evaluated(`
      let events;
      const server = http.createServer((request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        events = response;
      });
      server.on('upgrade', (request, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nconnection: upgrade\\r\\nupgrade: echo\\r\\n\\r\\n');
        socket.pipe(socket);
      });
      const balancer = new Balancer([{ host: '127.0.0.1', port: await listening(server) }]);
      await balancer.listen('127.0.0.1', 0);
      const answer = await fetch('http://127.0.0.1:' + balancer.port);
      events.write('data: 1\\n\\n');
      tell(new TextDecoder().decode((await answer.body.getReader().read()).value));
      const request = http.get({ port: balancer.port, headers: { connection: 'upgrade', upgrade: 'echo' } });
      const [, socket] = await once(request, 'upgrade');
      socket.write('ping');
      tell(String((await once(socket, 'data'))[0]));
      process.exit(0);
    `);
    expect(told).toEqual(['data: 1\n\n', 'ping']);
  });
});
