import type { Recording } from '@steadyhand/messages';
import type { Store } from '@steadyhand/store';
import { ConflictError } from '../api/validate.ts';
import { is, type LogEvent } from '../events/types.ts';
import { fromStored } from '../events/log-event.ts';
import { base64Loader, replaceBlobs } from '../log/blob-sources.ts';
import type { SessionData } from '../record/session-data.ts';
import { TEST_FILE } from './test-file.ts';

/** A file of an export, by its path in the export. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** What the exported test reads beside the recording. */
interface RecordedSession {
  /** The bodies of the requests that make the same session. */
  readonly agent: object;
  readonly environment: object;
  readonly session: object;
  /** What was sent, in groups; the session came to rest after each. */
  readonly sent: readonly (readonly object[])[];
  /** The answers to tool uses that waited for one, in the order of these uses. */
  readonly answers: readonly object[];
  /** What the agent used and said, in order. */
  readonly happened: readonly object[];
  /** Why the session came to rest at last. */
  readonly ended: string;
}

const USED = ['user.message', 'system.message', 'user.tool_confirmation', 'user.custom_tool_result', 'user.interrupt', 'user.grant_withdrawn', 'agent.tool_use', 'agent.custom_tool_use', 'agent.message', 'session.status_idle', 'sandbox.takeover_started'] as const; // prettier-ignore

/**
 * A session as a test that runs by itself: the model's replies from the recording, what was sent and answered, and what came
 * of it.
 * @param environment the body of a request that makes its environment
 * @throws {ConflictError} for a session that cannot be run again, and says why
 */
export async function replayTest(
  store: Store,
  id: string,
  data: SessionData,
  environment: object,
  recording: Recording,
): Promise<readonly ExportedFile[]> {
  const log = (await store.events.read({ session: id, types: [...USED] })).map(fromStored);
  const fault = faultOf(data, log, recording);
  if (fault !== undefined) throw new ConflictError(`Session ${id} cannot be run again: ${fault}`);
  const ended = log.findLast(is('session.status_idle'))?.body.stop_reason.type ?? '';
  // By an id alone, the model would be the session of the server that runs the test.
  const model = `test-of-${id}`;
  const { name, description, system, tools, context_care, policy } = data.agent;
  const recorded: RecordedSession = {
    agent: { name, description, model: `replay:${model}`, system, tools, context_care, policy },
    environment,
    session: { title: data.title, policy: data.policy },
    sent: await sentIn(store, log),
    answers: answersIn(log),
    happened: log.flatMap(happening),
    ended,
  };
  return [
    { name: 'replay.test.mjs', text: TEST_FILE },
    { name: 'session.json', text: pretty(recorded) },
    { name: 'providers.yaml', text: PROVIDERS },
    { name: `recordings/${model}.json`, text: pretty(recording) },
  ];
}

const PROVIDERS = `providers:
  recordings: { type: replay, folder: recordings }
models:
  - { model: 'replay:*', provider: recordings }
`;

const pretty = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Why a session cannot be run again; undefined where it can. */
function faultOf(data: SessionData, log: readonly LogEvent[], recording: Recording): string | undefined {
  if (recording.turns.length === 0) return 'its model has not replied yet';
  const open = log.findLast(is('session.status_idle', 'user.message'));
  if (open?.type !== 'session.status_idle' || open.body.stop_reason.type === 'requires_action')
    return 'its last turn has not ended';
  if ((data.secrets ?? []).length > 0) return 'it has secrets, whose values nobody tells';
  if ((data.resources ?? []).length > 0) return 'it was given files';
  const person = log.find(is('user.interrupt', 'sandbox.takeover_started', 'user.grant_withdrawn'));
  if (person === undefined) return undefined;
  return `a person came in between at a time that nobody can repeat (${person.type}, ${person.id})`;
}

async function sentIn(store: Store, log: readonly LogEvent[]): Promise<readonly (readonly object[])[]> {
  const groups: object[][] = [[]];
  for (const { type, body } of log) {
    if (type === 'session.status_idle' && (groups.at(-1)?.length ?? 0) > 0) groups.push([]);
    if (type !== 'user.message' && type !== 'system.message') continue;
    groups.at(-1)?.push({ type, content: await replaceBlobs(body.content, base64Loader(store.blobs)) });
  }
  return groups.filter((group) => group.length > 0);
}

function answersIn(log: readonly LogEvent[]): readonly object[] {
  const given = new Map(
    log
      .filter(is('user.tool_confirmation', 'user.custom_tool_result'))
      .map(({ type, body }): [string, object] => {
        if ('tool_use_id' in body) {
          const { tool_use_id, ...answer } = body;
          return [tool_use_id, { type, ...answer }];
        }
        const { custom_tool_use_id, ...answer } = body;
        return [custom_tool_use_id, { type, ...answer }];
      }),
  );
  return log.filter(is('agent.tool_use', 'agent.custom_tool_use')).flatMap(({ id }) => given.get(id) ?? []);
}

function happening(event: LogEvent): readonly object[] {
  if (event.type === 'agent.tool_use' || event.type === 'agent.custom_tool_use')
    return [{ used: event.body.name, input: event.body.input }];
  return event.type === 'agent.message'
    ? [{ said: event.body.content.map(({ text }) => text).join('') }]
    : [];
}
