import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Answers, type Order, Served } from './served.ts';

/** The argument under which the bench is the server's process. */
export const SERVE = '--serve';

/** The server, in a process of its own, so that the browser's figures are not those of the one who measures. */
export interface ServerProcess {
  readonly url: string;
  order<A extends Order['ask']>(order: Extract<Order, { ask: A }>): Promise<Answers[A]>;
  stop(): Promise<void>;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export async function startServerProcess(): Promise<ServerProcess> {
  const child = fork(process.argv[1] ?? '', [SERVE], { execArgv: ['--enable-source-maps'] });
  const [ready] = (await once(child, 'message')) as [{ readonly url: string }];
  const waiting = new Map<number, (reply: Reply) => void>();
  child.on('message', (reply) => waiting.get((reply as Reply).id)?.(reply as Reply));
  let orders = 0;
  return {
    url: ready.url,
    order: async (order) => {
      const id = ++orders;
      const reply = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, order });
      });
      waiting.delete(id);
      if (reply.error !== undefined) throw new Error(reply.error);
      return reply.value as never;
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** The server's side of it: it ends when the other process goes. */
export async function serve(): Promise<void> {
  const served = await Served.open();
  process.on('message', (message) => {
    const { id, order } = message as { readonly id: number; readonly order: Order };
    served.follow(order).then(
      (value) => process.send?.({ id, value } satisfies Reply),
      (error: unknown) => process.send?.({ id, error: String(error) } satisfies Reply),
    );
  });
  process.on('disconnect', () => {
    void served.close().then(() => process.exit(0));
  });
  process.send?.({ url: served.url });
}
