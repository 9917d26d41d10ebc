import {
  handBack,
  interruptAll,
  readTakeover,
  startTakeover,
  watchScreen,
} from '../sandbox/client/watching.ts';
import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import type { WatchingService } from '../server/services.ts';
import { sessionData } from '../sessions/index.ts';
import type { Store } from '../store/index.ts';
import { asked } from './sandbox-service.ts';

/** Watching and taking over as the server uses it: the sandbox's errors become the API's. */
export function watchingService(
  sandboxes: Pick<Sandboxes, 'reach'>,
  store: Pick<Store, 'sessions'>,
): WatchingService {
  return {
    watch: (sandbox, takeover) => asked(() => watchScreen(sandboxes, sandbox, takeover)),
    takeOver: (sandbox, terms, { interrupt }) =>
      asked(async () => {
        const started = startTakeover(sandboxes, sandbox, terms);
        started.catch(() => undefined);
        if (interrupt) await interruptAll(sandboxes, sandbox);
        return started;
      }),
    handBack: (sandbox, takeover) => asked(() => handBack(sandboxes, sandbox, takeover)),
    read: (sandbox, after) => asked(() => readTakeover(sandboxes, sandbox, { after })),
    async sessionOf(sandbox) {
      const session = await store.sessions.get(sandbox.replace(/^sbx_/, 'sesn_'));
      return session !== undefined && sessionData(session).sandbox_id === sandbox ? session.id : null;
    },
  };
}
