import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listening } from '../../support/listening.ts';

/** Not among the addresses that programs inside reach without the proxy. */
const ADDRESS = '127.0.0.2';

/** Registries of apt, npm and pip with a package each, served on this machine. */
export class Registries {
  readonly #folder = mkdtempSync(join(tmpdir(), 'registries-'));
  readonly #server: Server;
  /** Paths asked for so far. */
  readonly asked: string[] = [];
  /** Whether pip's package is to be had. */
  pipServes = true;

  static async open(): Promise<Registries> {
    const registries = new Registries();
    await listening(registries.#server, ADDRESS);
    registries.#make();
    return registries;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://here').pathname.replace(/\/$/, '');
      this.asked.push(path);
      try {
        if (path.startsWith('/pip') && !this.pipServes) throw new Error('not now');
        const type =
          path === '/npm/hail' ? 'application/json' : path.startsWith('/pip/hello') ? 'text/html' : '';
        const body = readFileSync(join(this.#folder, type === 'text/html' ? `${path}/index` : path));
        response.writeHead(200, { 'content-type': type || 'application/octet-stream' }).end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
  }

  get host(): string {
    return `${ADDRESS}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What makes this machine's managers use these registries. */
  get environment(): Readonly<Record<'APT_CONFIG' | 'PIP_INDEX_URL' | 'NPM_CONFIG_REGISTRY', string>> {
    return {
      APT_CONFIG: join(this.#folder, 'apt.conf'),
      PIP_INDEX_URL: `http://name:password@${this.host}/pip`,
      NPM_CONFIG_REGISTRY: `http://${this.host}/npm/`,
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }

  #make(): void {
    this.#makeApt();
    this.#makePip();
    this.#makeNpm();
  }

  #makeApt(): void {
    this.#write('deb/DEBIAN/control', `${CONTROL}\n`);
    this.#write('deb/usr/bin/greet', '#!/bin/sh\ncat /usr/share/greet/words\n', 0o755);
    this.#write('deb/usr/share/greet/words', 'greetings from apt\n');
    this.#write('apt/none', '');
    execFileSync('dpkg-deb', ['--root-owner-group', '-b', 'deb', 'apt/greet.deb'], {
      cwd: this.#folder,
      stdio: 'ignore',
    });
    const deb = readFileSync(join(this.#folder, 'apt/greet.deb'));
    const sha256 = createHash('sha256').update(deb).digest('hex');
    this.#write('apt/Packages', `${CONTROL}\nFilename: greet.deb\nSize: ${deb.length}\nSHA256: ${sha256}\n`);
    this.#write('etc/sources.list', `deb [trusted=yes] http://name:password@${this.host}/apt ./\n`);
    this.#write(
      'apt.conf',
      `Dir::Etc::sourcelist "${this.#folder}/etc/sources.list";\nDir::Etc::sourceparts "${this.#folder}/none";\n`,
    );
  }

  #makePip(): void {
    const info = 'hello_there-1.0.dist-info';
    const files = {
      'hello_there.py': 'words = "hello from pip"\n',
      [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: hello-there\nVersion: 1.0\n',
      [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      [`${info}/RECORD`]: '',
    };
    const wheel = 'hello_there-1.0-py3-none-any.whl';
    this.#write(`pip/hello-there/index`, `<a href="/pip/files/${wheel}">${wheel}</a>\n`);
    this.#write(`pip/files/none`, '');
    const make =
      'import json,sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],"w") as z:\n for n,t in json.loads(sys.argv[2]).items(): z.writestr(n,t)';
    execFileSync('python3', ['-c', make, join(this.#folder, 'pip/files', wheel), JSON.stringify(files)]);
  }

  #makeNpm(): void {
    const manifest = { name: 'hail', version: '1.0.0', bin: { hail: 'hail.js' } };
    this.#write('tar/package/package.json', JSON.stringify(manifest));
    this.#write('tar/package/hail.js', '#!/usr/bin/env node\nconsole.log("hail from npm");\n', 0o755);
    this.#write('npm/none', '');
    execFileSync('tar', ['czf', join(this.#folder, 'npm/hail.tgz'), 'package'], {
      cwd: join(this.#folder, 'tar'),
    });
    const tarball = readFileSync(join(this.#folder, 'npm/hail.tgz'));
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `http://${this.host}/npm/hail.tgz`, integrity };
    this.#write(
      'npm/hail',
      JSON.stringify({
        ...manifest,
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': { ...manifest, dist } },
      }),
    );
  }

  #write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
    writeFileSync(join(this.#folder, path), text, { mode });
  }
}

const CONTROL = `Package: greet
Version: 1.0
Architecture: all
Maintainer: Nobody <nobody@example.com>
Description: greets`;
