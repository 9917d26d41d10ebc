import {
  type ActionOutcome,
  type ActionRequest,
  type ActionSecret,
  type ActiveWindow,
  NOT_EXECUTED,
} from '@steadyhand/contracts';
import { checkTool } from '../../check-tool.ts';
import { invalidRequest } from '../../invalid-request.ts';
import { ActionTimes } from '../actions/action-times.ts';
import type { DaemonHealth } from '../../daemon-health.ts';
import { type DaemonRoutes, readJson, sendJson } from './exchange.ts';

const MAX_KEY_CHARACTERS = 256;

/** What these routes need of a daemon. */
interface ActionDaemon {
  perform(request: ActionRequest, times?: ActionTimes): Promise<ActionOutcome>;
  knows(key: string): Promise<boolean>;
  interrupt(key: string): boolean;
  screenshot(): Promise<Uint8Array>;
  activeWindow(): Promise<ActiveWindow | null>;
  health(): DaemonHealth;
  shutdown(): Promise<void>;
}

/**
 * `POST /actions` with one action or a list, `POST /actions/known {key}`, `POST /interrupt {key}`, `GET /health`, `GET
 * /screenshot`, `GET /active_window`, `POST /shutdown`. A caller that goes away does not stop its action, but no
 * further action of its list is begun.
 */
export function actionRoutes(daemon: ActionDaemon): DaemonRoutes {
  return {
    'GET /health': () => daemon.health(),
    'POST /actions': async ({ request, response }) => {
      const body = await readJson(request);
      if (!Array.isArray(body)) {
        const times = new ActionTimes();
        const outcome = await daemon.perform(readAction(body), times);
        times.passed('record');
        response.setHeader('server-timing', times.header());
        return outcome;
      }
      const isWanted = (): boolean => !response.destroyed;
      return performInOrder(body.map(readAction), (action) => daemon.perform(action), isWanted);
    },
    'POST /actions/known': async ({ request }) => ({
      known: await daemon.knows(readKey(await readJson(request))),
    }),
    'POST /interrupt': async ({ request }) => ({
      running: daemon.interrupt(readKey(await readJson(request))),
    }),
    'GET /screenshot': async ({ response }) => {
      const png = await daemon.screenshot();
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': png.byteLength }).end(png);
    },
    'GET /active_window': () => daemon.activeWindow(),
    'POST /shutdown': ({ response }) => {
      sendJson(response, 202, {});
      // The answer is sent first, because the process ends with its shutdown.
      response.once('close', () => void daemon.shutdown());
    },
  };
}

function readKey(body: unknown): string {
  const key: unknown = typeof body === 'object' && body !== null && 'key' in body ? body.key : undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_CHARACTERS) {
    throw invalidRequest(`key: expected a string of 1 to ${MAX_KEY_CHARACTERS} characters`);
  }
  return key;
}

function readWindow({ only_if_window: title }: { readonly only_if_window?: unknown }): {
  only_if_window?: string | null;
} {
  if (title === undefined) return {};
  if (title !== null && typeof title !== 'string')
    throw invalidRequest('only_if_window: expected a string or null');
  return { only_if_window: title };
}

const SECRET_TOOLS = ['computer', 'editor', 'bash'];

function readSecrets({ secrets }: { readonly secrets?: unknown }): Pick<ActionRequest, 'secrets'> {
  if (secrets === undefined) return {};
  const isSecret = (given: unknown): given is ActionSecret => {
    const { name, value, tools } = (given ?? {}) as Record<string, unknown>;
    return (
      typeof name === 'string' &&
      /^[A-Za-z_]\w*$/.test(name) &&
      typeof value === 'string' &&
      Array.isArray(tools) &&
      tools.every((tool) => SECRET_TOOLS.includes(tool as string))
    );
  };
  if (!Array.isArray(secrets) || !secrets.every(isSecret))
    throw invalidRequest('secrets: expected a list of {name, value, tools}');
  return { secrets };
}

function readAction(body: unknown): ActionRequest {
  const key = readKey(body);
  const { tool, input, interrupted } = body as {
    readonly tool?: unknown;
    readonly input?: unknown;
    readonly interrupted?: unknown;
  };
  return {
    key,
    tool: checkTool(tool),
    input,
    ...readWindow(body as object),
    ...readSecrets(body as object),
    ...(interrupted === true ? { interrupted } : {}),
  };
}

/**
 * Performs actions one after another, each under its own key, until `isWanted` says no, and returns the outcomes so
 * far. After a failed action of a computer toolset the toolset's later actions are not performed, and nothing is
 * recorded under their keys.
 */
async function performInOrder(
  actions: readonly ActionRequest[],
  perform: (action: ActionRequest) => Promise<ActionOutcome>,
  isWanted: () => boolean,
): Promise<readonly ActionOutcome[]> {
  const outcomes: ActionOutcome[] = [];
  let failed = false;
  for (const action of actions) {
    if (!isWanted()) break;
    const isMember = action.tool.type.startsWith('computer_toolset_');
    if (failed && isMember) {
      outcomes.push({ status: 'done', is_error: true, content: NOT_EXECUTED });
      continue;
    }
    const outcome = await perform(action);
    outcomes.push(outcome);
    if (isMember) failed = outcome.status !== 'done' || outcome.is_error;
  }
  return outcomes;
}
