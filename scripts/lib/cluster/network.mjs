import fs from 'node:fs';
import { runCommand } from '../command.mjs';

/**
 * Where the parts are: which address each has, and how a program is run there.
 * @typedef {object} Network
 * @property {(part: string) => Promise<string>} place gives a part its address
 * @property {(part: string, command: readonly string[]) => readonly string[]} command what runs a command at a part's place
 * @property {string} host where this process is reached from the parts
 * @property {(part: string) => Promise<string>} second another address of this process, on which a port of the part's is free
 * @property {() => Promise<void>} remove
 */

/**
 * All parts on loopback.
 * @returns {Network}
 */
export function loopback() {
  let last = 1;
  return {
    host: '127.0.0.1',
    place: () => Promise.resolve('127.0.0.1'),
    command: (_part, command) => command,
    second: () => Promise.resolve(`127.0.0.${++last}`),
    remove: () => Promise.resolve(),
  };
}

/**
 * Each part in a network namespace of its own, all on one bridge. Linux, root and `ip` are needed.
 * @returns {Promise<Network>}
 */
export async function namespaces() {
  await removeLeftOver();
  const prefix = `sh-${process.pid}-`;
  const bridge = `sh${process.pid}`;
  const net = `10.${64 + (process.pid % 128)}`;
  const host = `${net}.0.1`;
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('addr', 'add', `${host}/16`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  let last = 1;
  let seconds = 0;
  /** @type {string[]} */
  const made = [];
  return {
    host,
    async place(part) {
      const name = `${prefix}${part}`;
      const address = `${net}.0.${++last}`;
      const outer = `v${process.pid}n${last}`;
      await ip('netns', 'add', name);
      made.push(name);
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      await ip('link', 'set', outer, 'master', bridge, 'up');
      await ip('-n', name, 'link', 'set', 'lo', 'up');
      await ip('-n', name, 'addr', 'add', `${address}/16`, 'dev', 'eth0');
      await ip('-n', name, 'link', 'set', 'eth0', 'up');
      return address;
    },
    command: (part, command) => ['ip', 'netns', 'exec', `${prefix}${part}`, ...command],
    async second() {
      const address = `${net}.1.${++seconds}`;
      await ip('addr', 'add', `${address}/16`, 'dev', bridge);
      return address;
    },
    async remove() {
      for (const name of made) await ip('netns', 'del', name);
      await ip('link', 'del', bridge);
    },
  };
}

/** Namespaces and bridges of scripts that were killed. */
async function removeLeftOver() {
  const { output } = await runCommand('ip', ['netns', 'list'], { capture: true });
  for (const [name, pid = ''] of output.matchAll(/^sh-(\d+)-\S+/gm)) {
    if (fs.existsSync(`/proc/${pid}`)) continue;
    await ip('netns', 'del', name);
    if (fs.existsSync(`/sys/class/net/sh${pid}`)) await ip('link', 'del', `sh${pid}`);
  }
}

/** @param {readonly string[]} args */
async function ip(...args) {
  const { code, output } = await runCommand('ip', args, { capture: true });
  if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${output.trim()}`);
}
