import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../command.mjs';
import { BootstrapError } from '../progress.mjs';
import { postgresFolder } from './binaries.mjs';
import { bound } from './bound.mjs';

/** The user that Debian's package makes; PostgreSQL refuses to run as root. */
const USER = process.getuid?.() === 0 ? 'postgres' : undefined;
const AS = USER === undefined ? {} : { user: USER };

/**
 * A PostgreSQL server of the cluster's own: its command, and what makes its folder and its databases.
 * @param {{ dir: string, host: string, port: number, password: string }} options
 */
export function postgres({ dir, host, port, password }) {
  const bin = postgresFolder();
  const data = path.join(dir, 'data');
  const env = { ...process.env, PGPASSWORD: password, LC_ALL: 'C' };
  const psql = (/** @type {readonly string[]} */ ...args) =>
    runCommand(
      path.join(bin, 'psql'),
      // The socket is in a folder of this cluster's, so that no network is between.
      [
        '-X',
        '-q',
        '-t',
        '-A',
        '-h',
        dir,
        '-p',
        String(port),
        '-U',
        'postgres',
        '-v',
        'ON_ERROR_STOP=1',
        ...args,
      ],
      { env, capture: true },
    );
  return {
    command: bound([path.join(bin, 'postgres'), '-D', data], { ...AS, signal: 'INT' }),
    env,
    /** A fast shutdown: connections are ended, and everything is on the disk. */
    stopSignal: /** @type {const} */ ('SIGINT'),

    async prepare() {
      fs.mkdirSync(dir, { recursive: true });
      if (USER !== undefined) {
        requireWay(dir);
        await run('chown', [USER, dir]);
      }
      if (!fs.existsSync(path.join(data, 'PG_VERSION'))) {
        const file = path.join(dir, 'password');
        fs.writeFileSync(file, `${password}\n`, { mode: 0o600 });
        if (USER !== undefined) await run('chown', [USER, file]);
        const init = [path.join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'scram-sha-256'];
        const [program = '', ...args] = bound([...init, `--pwfile=${file}`, '--no-locale', '-E', 'UTF8'], AS);
        await run(program, args);
        fs.rmSync(file);
        fs.appendFileSync(
          path.join(data, 'pg_hba.conf'),
          'host all all 127.0.0.0/8 scram-sha-256\nhost all all 10.0.0.0/8 scram-sha-256\n',
        );
      }
      fs.writeFileSync(
        path.join(data, 'postgresql.auto.conf'),
        [
          `listen_addresses = '${host}'`,
          `port = ${port}`,
          `unix_socket_directories = '${dir}'`,
          'max_connections = 300',
          'shared_buffers = 256MB',
          '',
        ].join('\n'),
      );
    },

    async ready() {
      const { code } = await psql('-c', 'SELECT 1');
      return code === 0;
    },

    /** @param {string} name of a database and of the role that owns it, which has the same password */
    async makeDatabase(name) {
      const { output } = await psql('-c', `SELECT 1 FROM pg_roles WHERE rolname = '${name}'`);
      if (output.trim() === '1') return;
      const { code, output: said } = await psql(
        '-c',
        `CREATE ROLE ${name} LOGIN CREATEDB PASSWORD '${password}'`,
        '-c',
        `CREATE DATABASE ${name} OWNER ${name}`,
      );
      if (code !== 0) throw new Error(`the database ${name} was not made: ${said.trim()}`);
    },
  };
}

/**
 * Another user than root has to get through every folder above its own.
 * @param {string} dir
 */
function requireWay(dir) {
  for (let folder = path.dirname(dir); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if ((fs.statSync(folder).mode & 0o001) === 0)
      throw new BootstrapError(
        `PostgreSQL runs as the user ${USER}, who may not enter ${folder}: take another folder by --dir, or chmod o+x this one.`,
      );
  }
}

/** @type {(program: string, args: readonly string[]) => Promise<void>} */
async function run(program, args) {
  const { code, output } = await runCommand(program, args, {
    capture: true,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${output.trim()}`);
}
