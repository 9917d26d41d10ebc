import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Balancer } from './balancer.mjs';
import { binary } from './binaries.mjs';
import { bound } from './bound.mjs';
import { movableClock } from './clock.mjs';
import { freePort } from './free-port.mjs';
import { clusterKeys } from './keys.mjs';
import { Link } from './link.mjs';
import { loopback, namespaces } from './network.mjs';
import { Part } from './part.mjs';
import { postgres } from './postgres.mjs';
import { memberPart, productPart } from './roles.mjs';
import { ensureNamespace, temporalDevServer, temporalServer } from './temporal.mjs';

/** @typedef {import('./options.mjs').ClusterOptions} ClusterOptions */
/** @typedef {{ readonly host: string, readonly port: number }} Address */

/** A bucket's name for the cluster's blobs. */
const BUCKET = 'steadyhand';

/**
 * A whole cluster of processes on this machine: PostgreSQL, Temporal, an S3 store, servers behind a proxy, workers, inference
 * processes and machines of the sandbox pool, each with a folder of its own.
 */
export class Cluster {
  #options;
  #keys;
  /** @type {import('./network.mjs').Network} */
  #network;
  /** @type {Map<string, Part>} */
  #parts = new Map();
  /** @type {Map<string, Address>} */
  #places = new Map();
  /** @type {Map<string, Link>} */
  #links = new Map();
  /** @type {Map<string, ReturnType<typeof movableClock>>} */
  #clocks = new Map();
  /** @type {Balancer[]} */
  #balancers = [];
  #complete = false;

  /**
   * @param {ClusterOptions} options
   * @param {import('./network.mjs').Network} network
   */
  constructor(options, network) {
    this.#options = options;
    this.#network = network;
    // A user of PostgreSQL's own passes through it; what is in it is readable by its owner alone.
    fs.mkdirSync(options.dir, { recursive: true, mode: 0o711 });
    fs.chmodSync(options.dir, 0o711);
    this.#keys = clusterKeys(options.dir);
  }

  /**
   * Starts everything and waits until it serves. What was started is stopped again when a part does not.
   * @param {ClusterOptions} options
   */
  static async start(options) {
    const cluster = new Cluster(options, options.namespaces ? await namespaces() : loopback());
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The address that clients use. */
  get url() {
    return `http://${addressText(this.#place('proxy'))}`;
  }

  get apiKey() {
    return this.#keys.apiKey;
  }

  /** Which Temporal server there is. */
  get engine() {
    return this.#options.temporal;
  }

  get status() {
    return [...this.#parts.values()].map((part) => ({
      name: part.name,
      state: part.state,
      pid: part.pid,
      starts: part.starts,
      address: addressText(this.#place(part.name)),
      log: part.log,
    }));
  }

  /** The links' names, `from>to`. */
  get links() {
    return [...this.#links.keys()];
  }

  /** @param {string} name */
  process(name) {
    const part = this.#parts.get(name);
    if (part === undefined)
      throw new Error(`there is no ${name}; there are ${[...this.#parts.keys()].join(', ')}`);
    return part;
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  link(from, to) {
    const link = this.#links.get(`${from}>${to}`);
    if (link === undefined)
      throw new Error(`there is no link ${from}>${to}; there are ${this.links.join(', ')}`);
    return link;
  }

  /** The names of the parts whose clocks can be moved. */
  get clocks() {
    return [...this.#clocks.keys()];
  }

  /**
   * Sets a part's clock this many seconds before the machine's, or behind it.
   * @param {string} name
   * @param {number} seconds
   */
  moveClock(name, seconds) {
    const clock = this.#clocks.get(name);
    if (clock === undefined) throw new Error(`the clock of ${name} cannot be moved`);
    clock.move(seconds);
  }

  /** Ends everything, what uses a part before the part. */
  async stop() {
    this.#complete = false;
    for (const link of this.#links.values()) link.heal();
    const uses = ['member', 'worker', 'inference', 'server', 'temporal', 's3', 'postgres'];
    for (const kind of uses) {
      const parts = [...this.#parts.values()].filter(({ name }) => name.replace(/-\d+$/, '') === kind);
      await Promise.all(parts.map((part) => part.stop()));
    }
    await Promise.all(this.#balancers.map((balancer) => balancer.close()));
    await Promise.all([...this.#links.values()].map((link) => link.close()));
    await this.#network.remove();
    fs.rmSync(path.join(this.#options.dir, 'cluster.json'), { force: true });
  }

  async #start() {
    const { servers, workers, inference, members, port, tell } = this.#options;
    const names = (/** @type {string} */ role, /** @type {number} */ count) =>
      Array.from({ length: count }, (_, index) => `${role}-${index + 1}`);
    tell('starting PostgreSQL, Temporal and the S3 store');
    await this.#startPostgres();
    await Promise.all([this.#startTemporal(), this.#startS3()]);
    const inferenceNames = names('inference', inference);
    const serverNames = names('server', servers);
    const workerNames = names('worker', workers);
    for (const name of [...serverNames, ...inferenceNames, ...workerNames]) await this.#addPlace(name);
    tell(`starting ${[...serverNames, ...workerNames, ...inferenceNames].join(', ')}`);
    if (inference > 0) await this.#startBalancer('models', 0, inferenceNames);
    await Promise.all(
      [...serverNames, ...workerNames, ...inferenceNames].map((name) => this.#startProduct(name)),
    );
    await this.#startBalancer('proxy', port, serverNames);
    tell(`starting ${members} machines of the sandbox pool`);
    await Promise.all(names('member', members).map((name) => this.#startMember(name)));
    this.#complete = true;
    this.#write();
  }

  /** Writes `cluster.json`: where everything is, for programs. */
  #write() {
    const { dir } = this.#options;
    const content = {
      url: this.url,
      api_key: this.apiKey,
      engine: this.engine,
      pid: process.pid,
      parts: this.status,
    };
    fs.writeFileSync(path.join(dir, 'cluster.json.new'), JSON.stringify(content, null, 2), { mode: 0o600 });
    fs.renameSync(path.join(dir, 'cluster.json.new'), path.join(dir, 'cluster.json'));
  }

  async #startPostgres() {
    const at = await this.#addPlace('postgres');
    const server = postgres({ dir: this.#dir('postgres'), ...at, password: this.#keys.database });
    await server.prepare();
    await this.#add('postgres', server);
    for (const name of ['temporal', 'steadyhand']) await server.makeDatabase(name);
  }

  async #startTemporal() {
    const at = await this.#addPlace('temporal');
    const dir = this.#dir('temporal');
    const server =
      this.#options.temporal === 'postgres'
        ? await temporalServer({
            dir,
            at,
            database: await this.#way('temporal', 'postgres'),
            password: this.#keys.database,
          })
        : await temporalDevServer({ dir, at });
    await server.prepare();
    await this.#add('temporal', { ...server, ready: () => listens(at) });
    await ensureNamespace(at, 'default');
  }

  async #startS3() {
    if (this.#options.blobs !== undefined) return;
    const at = await this.#addPlace('s3');
    const dir = path.join(this.#dir('s3'), 'data');
    // A folder of versitygw's is a bucket.
    fs.mkdirSync(path.join(dir, BUCKET), { recursive: true, mode: 0o700 });
    await this.#add('s3', {
      command: bound([await binary('versitygw'), '--port', addressText(at), '--quiet', 'posix', dir]),
      env: { ...process.env, ROOT_ACCESS_KEY: this.#keys.s3Access, ROOT_SECRET_KEY: this.#keys.s3Secret },
      ready: () => listens(at),
    });
  }

  /** @param {string} name */
  async #startProduct(name) {
    const { root, env } = this.#options;
    const role = name.replace(/-\d+$/, '');
    const part = productPart({
      root,
      role,
      dir: this.#dir(name),
      at: this.#place(name),
      env: {
        ...env,
        ...this.#clock(name),
        API_KEY: this.#keys.apiKey,
        // An inference process knows models and nothing else.
        ...(role === 'inference' ? {} : await this.#shared(name)),
        ...(role === 'server' ? { TRUSTED_PROXIES: this.#network.host } : {}),
      },
    });
    await this.#add(name, part);
  }

  /**
   * What servers and workers have in common.
   * @param {string} name
   */
  async #shared(name) {
    const way = async (/** @type {string} */ to) => addressText(await this.#way(name, to));
    const { inference } = this.#options;
    return {
      ENGINE: 'cluster',
      TEMPORAL_ADDRESS: await way('temporal'),
      STORE: `postgres://steadyhand:${this.#keys.database}@${await way('postgres')}/steadyhand`,
      ...(await this.#blobs(name)),
      ...(inference > 0 ? { INFERENCE_URL: `http://${await way('models')}` } : {}),
      SECRETS_KEY: this.#keys.secretsKey,
      SANDBOX_ISOLATION: 'remote',
      SANDBOX_POOL_TOKEN: this.#keys.poolToken,
    };
  }

  /** @param {string} name */
  async #blobs(name) {
    if (this.#options.blobs !== undefined) return { BLOBS: this.#options.blobs };
    const endpoint = `http://${addressText(await this.#way(name, 's3'))}`;
    return {
      BLOBS: `s3://${BUCKET}/blobs?endpoint=${endpoint}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: this.#keys.s3Access,
      AWS_SECRET_ACCESS_KEY: this.#keys.s3Secret,
    };
  }

  /**
   * A proxy before processes of one role.
   * @param {string} name
   * @param {number} port
   * @param {readonly string[]} parts
   */
  async #startBalancer(name, port, parts) {
    const balancer = new Balancer(await Promise.all(parts.map((part) => this.#way(name, part))));
    this.#balancers.push(balancer);
    await balancer.listen(this.#network.host, port);
    this.#places.set(name, { host: this.#network.host, port: balancer.port });
  }

  /** @param {string} name */
  async #startMember(name) {
    const { root, faults, env } = this.#options;
    const at = await this.#addPlace(name);
    const server = await this.#way(name, 'proxy');
    // A member is registered by its port and another host, so the link before it has the same port elsewhere.
    let address = at.host;
    if (faults) {
      address = await this.#network.second(name);
      this.#links.set(`all>${name}`, await new Link(address, at).listen(at.port));
    }
    const part = memberPart({
      root,
      dir: this.#dir(name),
      at,
      address,
      server: `http://${addressText(server)}`,
      token: this.#keys.poolToken,
      env: { ...env, ...this.#clock(name) },
    });
    await this.#add(name, part);
  }

  /**
   * @param {string} name
   * @param {Pick<import('./part.mjs').PartOptions, 'ready' | 'stopSignal'> & { command: readonly string[], env?: NodeJS.ProcessEnv }} options
   */
  async #add(name, { command, env = process.env, ...options }) {
    const { dir, tell } = this.#options;
    const [program = '', ...args] = this.#network.command(name, command);
    const log = path.join(dir, 'logs', `${name}.log`);
    const part = new Part({ name, program, args, env, log, ...options }, (line) => {
      if (line !== undefined) tell(line);
      if (this.#complete) this.#write();
    });
    this.#parts.set(name, part);
    await part.start();
  }

  /** @param {string} name */
  #clock(name) {
    if (!this.#options.faults) return {};
    fs.mkdirSync(this.#dir(name), { recursive: true, mode: 0o700 });
    const clock = movableClock(path.join(this.#dir(name), 'clock'));
    this.#clocks.set(name, clock);
    return clock.env;
  }

  /** @param {string} name */
  async #addPlace(name) {
    const host = await this.#network.place(name);
    const place = { host, port: await freePort() };
    this.#places.set(name, place);
    return place;
  }

  /** @param {string} name */
  #place(name) {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`${name} has no place yet`);
    return place;
  }

  /**
   * The address under which one part reaches another: the part's own, or that of a link to it.
   * @param {string} from
   * @param {string} to
   * @returns {Promise<Address>}
   */
  async #way(from, to) {
    const place = this.#place(to);
    if (!this.#options.faults) return place;
    const name = `${from}>${to}`;
    const link = this.#links.get(name) ?? (await new Link(this.#network.host, place).listen());
    this.#links.set(name, link);
    const { host, port } = link;
    return { host, port };
  }

  /** @param {string} name */
  #dir(name) {
    return path.join(this.#options.dir, name);
  }
}

/** @param {Address} address */
function addressText({ host, port }) {
  return `${host}:${port}`;
}

/**
 * Whether somebody takes connections there.
 * @param {Address} address
 * @returns {Promise<boolean>}
 */
function listens(address) {
  return new Promise((resolve) => {
    const socket = net.connect({ ...address });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
