import http from 'node:http';
import net from 'node:net';

/** @typedef {{ readonly host: string, readonly port: number }} Target */

const LOOK_MS = 1000;

/**
 * A small reverse proxy that hands requests to the servers in turn: to those that say that they are ready, as long as there is one.
 * It stands for the nginx or the load balancer of a real cluster.
 */
export class Balancer {
  #targets;
  #server;
  /** @type {Set<Target>} */
  #away = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #looking;
  #turn = 0;
  #port = 0;

  /** @param {readonly Target[]} targets */
  constructor(targets) {
    this.#targets = targets;
    this.#server = http.createServer((request, response) => this.#pass(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    // A stream of events lasts as long as its session.
    this.#server.requestTimeout = 0;
  }

  get port() {
    return this.#port;
  }

  /**
   * @param {string} host
   * @param {number} port 0 takes a free one
   * @returns {Promise<void>}
   */
  async listen(host, port) {
    await new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => resolve());
    });
    const address = this.#server.address();
    if (address !== null && typeof address !== 'string') this.#port = address.port;
    this.#looking = setInterval(() => {
      for (const target of this.#targets) this.#look(target);
    }, LOOK_MS);
  }

  /** @returns {Promise<void>} */
  close() {
    clearInterval(this.#looking);
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** @param {Target} target */
  #look(target) {
    const request = http.get({ ...target, path: '/readyz', agent: false, timeout: LOOK_MS }, (response) => {
      response.resume();
      if (response.statusCode === 200) this.#away.delete(target);
      else this.#away.add(target);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => this.#away.add(target));
  }

  /** The servers in the order in which a request tries them. */
  #order() {
    this.#turn += 1;
    const ready = this.#targets.filter((target) => !this.#away.has(target));
    const list = ready.length > 0 ? ready : this.#targets;
    return list.map((_, index) => list[(this.#turn + index) % list.length] ?? list[0]);
  }

  /**
   * A request that no server has seen goes to the next; one that a server may have seen is the client's to repeat.
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  #pass(request, response, order = this.#order()) {
    const [target, ...others] = order;
    if (target === undefined) {
      response.writeHead(502, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'No server answers.' } }),
      );
      return;
    }
    const upstream = http.request({
      ...target,
      // A connection of its own: one that is kept may be closed by the server at the moment of its next use.
      agent: false,
      method: request.method,
      path: request.url,
      headers: headersOf(request),
    });
    let sent = false;
    upstream.once('socket', (socket) => {
      const send = () => {
        sent = true;
        request.pipe(upstream);
      };
      if (socket.connecting) socket.once('connect', send);
      else send();
    });
    upstream.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers);
      // The first bytes of a stream of events come late, and its headers must not wait for them.
      response.flushHeaders();
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    upstream.once('error', () => {
      if (!sent) {
        this.#away.add(target);
        this.#pass(request, response, others);
      } else if (response.headersSent) response.destroy();
      else this.#pass(request, response, []);
    });
    response.once('close', () => upstream.destroy());
  }

  /**
   * @param {http.IncomingMessage} request
   * @param {import('node:stream').Duplex} client
   * @param {Buffer} head
   */
  #upgrade(request, client, head) {
    const [target] = this.#order();
    client.on('error', () => undefined);
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = net.connect({ ...target }, () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (const [name, value] of Object.entries(headersOf(request)))
        for (const one of [value ?? []].flat()) lines.push(`${name}: ${one}`);
      upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
  }
}

/**
 * The request's headers, with the address that it came from.
 * @param {http.IncomingMessage} request
 */
function headersOf(request) {
  const from = request.socket.remoteAddress ?? '';
  const before = request.headers['x-forwarded-for'];
  return { ...request.headers, 'x-forwarded-for': [before ?? [], from].flat().join(', ') };
}
