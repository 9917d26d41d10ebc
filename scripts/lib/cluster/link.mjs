import net from 'node:net';

/**
 * A TCP connection between two parts of the cluster that can be cut, refused and slowed, as a network can.
 */
export class Link {
  /** @type {net.Server} */
  #server;
  /** @type {{ readonly host: string, readonly port: number }} */
  #target;
  /** @type {Set<net.Socket>} */
  #sockets = new Set();
  /** @type {'open' | 'cut' | 'refused'} */
  #state = 'open';
  #port = 0;
  #host;
  /** Milliseconds by which whatever goes either way is held back. */
  delayMs = 0;

  /**
   * @param {string} host where this end listens
   * @param {{ readonly host: string, readonly port: number }} target
   */
  constructor(host, target) {
    this.#host = host;
    this.#target = target;
    // Half-open connections stay: who closes its side may still be answered.
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  get port() {
    return this.#port;
  }

  get host() {
    return this.#host;
  }

  /**
   * @param {number} [port] 0 takes a free one
   * @returns {Promise<this>}
   */
  listen(port = 0) {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, this.#host, () => {
        const address = this.#server.address();
        if (address !== null && typeof address !== 'string') this.#port = address.port;
        resolve(this);
      });
    });
  }

  /** Nothing comes through any more, and nobody is told: a cable that was pulled. */
  cut() {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.pause();
  }

  /** Whoever is connected is cut off, and whoever connects is turned away: a host whose program is gone. */
  refuse() {
    this.#state = 'refused';
    this.#drop();
  }

  /** As before the fault. What was connected through a cut begins anew: a real network would have forgotten it, too. */
  heal() {
    if (this.#state === 'cut') this.#drop();
    this.#state = 'open';
    this.delayMs = 0;
  }

  /** @returns {Promise<void>} */
  close() {
    const closed = new Promise((/** @type {(value: void) => void} */ resolve) =>
      this.#server.close(() => resolve()),
    );
    this.#drop();
    return closed;
  }

  #drop() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** @param {net.Socket} client */
  #accept(client) {
    this.#keep(client);
    if (this.#state === 'refused') {
      client.resetAndDestroy();
      return;
    }
    // Accepted, and then silence.
    if (this.#state === 'cut') {
      client.pause();
      return;
    }
    const target = net.connect({ ...this.#target, allowHalfOpen: true });
    this.#keep(target);
    this.#pass(client, target);
    this.#pass(target, client);
    client.once('close', () => target.destroy());
    target.once('close', () => client.destroy());
  }

  /** @param {net.Socket} socket */
  #keep(socket) {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /**
   * @param {net.Socket} from
   * @param {net.Socket} to
   */
  #pass(from, to) {
    const later = (/** @type {() => void} */ act) => {
      if (this.delayMs === 0) act();
      else setTimeout(act, this.delayMs);
    };
    // A change of the delay in the middle must not reorder what is on its way.
    /** @type {Promise<void>} */
    let order = Promise.resolve();
    let waiting = 0;
    const inOrder = (/** @type {() => void} */ act) => {
      if (this.delayMs === 0 && waiting === 0) {
        act();
        return;
      }
      waiting += 1;
      const due = new Promise((/** @type {(value: void) => void} */ resolve) => later(resolve));
      order = order
        .then(() => due)
        .then(() => {
          waiting -= 1;
          act();
        });
    };
    from.on('data', (chunk) =>
      inOrder(() => {
        if (to.destroyed || to.writableEnded || to.write(chunk)) return;
        from.pause();
        to.once('drain', () => {
          if (this.#state !== 'cut') from.resume();
        });
      }),
    );
    from.once('end', () => inOrder(() => to.end()));
  }
}
