import {
  handBack,
  interruptAll,
  readTakeover,
  type Sandboxes,
  startTakeover,
  watchScreen,
} from '@steadyhand/sandbox/client';
import type { WatchingService } from '@steadyhand/server';
import { sessionData } from '@steadyhand/sessions';
import type { Store } from '@steadyhand/store';
import { withApiErrors } from './sandbox-service.ts';

/** Watching and taking over as the server uses them: the sandbox's errors become the API's. */
export function watchingService(
  sandboxes: Pick<Sandboxes, 'reach'>,
  store: Pick<Store, 'sessions'>,
): WatchingService {
  return {
    watch: (sandbox, takeover) => withApiErrors(() => watchScreen(sandboxes, sandbox, takeover)),
    takeOver: (sandbox, terms, { interrupt }) =>
      withApiErrors(async () => {
        const started = startTakeover(sandboxes, sandbox, terms);
        started.catch(() => undefined);
        if (interrupt) await interruptAll(sandboxes, sandbox);
        return started;
      }),
    handBack: (sandbox, takeover) => withApiErrors(() => handBack(sandboxes, sandbox, takeover)),
    read: (sandbox, after) => withApiErrors(() => readTakeover(sandboxes, sandbox, { after })),
    async sessionOf(sandbox) {
      const session = await store.sessions.get(sandbox.replace(/^sbx_/, 'sesn_').replace(/-\d+$/, ''));
      return session !== undefined && sessionData(session).sandbox_id === sandbox ? session.id : null;
    },
  };
}
