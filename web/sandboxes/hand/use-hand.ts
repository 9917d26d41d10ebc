import { useState } from 'react';
import { type ApiAnswer, call } from '../../client/api.ts';
import { messageOf } from '../../client/request.ts';
import { randomId } from '../parts/random-id.ts';
import type { ToolAction } from './hand-action.ts';

export type Answer = ApiAnswer<'POST /v1/sandboxes/{id}/tool_results'>['content'][number];

/** One action that was run by hand. */
export interface Run {
  /** The tool use's id: under it the action is done at most once, however often it is asked for. */
  readonly id: string;
  readonly action: ToolAction;
  readonly input: Readonly<Record<string, unknown>>;
  readonly at: string;
  readonly state: 'running' | 'done' | 'lost';
  readonly answer?: Answer | undefined;
  /** Milliseconds. */
  readonly took?: number;
  /** Why there is no answer. */
  readonly problem?: string;
}

export interface Hand {
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly busy: boolean;
  readonly run: (action: ToolAction, input: Readonly<Record<string, unknown>>) => void;
  /** Asks again for what has no answer. It is not done twice. */
  readonly askAgain: (run: Run) => void;
}

/** What is run by hand in a sandbox while its page is open. */
export function useHand(sandbox: string): Hand {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const change = (id: string, next: Partial<Run>): void =>
    setRuns((before) => before.map((each) => (each.id === id ? { ...each, ...next } : each)));
  const send = async ({ id, action, input }: Run): Promise<void> => {
    const begun = performance.now();
    try {
      const answer = await perform(sandbox, { id, action, input });
      change(id, { state: 'done', answer, took: performance.now() - begun });
    } catch (error) {
      change(id, { state: 'lost', problem: messageOf(error) });
    }
  };
  return {
    runs,
    busy: runs.some(({ state }) => state === 'running'),
    run: (action, input) => {
      const made: Run = {
        id: `toolu_hand_${randomId()}`,
        action,
        input,
        at: new Date().toISOString(),
        state: 'running',
      };
      setRuns((before) => [made, ...before]);
      void send(made);
    },
    askAgain: (run) => {
      change(run.id, { state: 'running' });
      void send(run);
    },
  };
}

async function perform(
  sandbox: string,
  { id, action, input }: Pick<Run, 'id' | 'action' | 'input'>,
): Promise<Answer | undefined> {
  const { tool, name, toolset_name } = action;
  const ofToolset = toolset_name === undefined ? {} : { toolset_name };
  const { content } = await call('POST /v1/sandboxes/{id}/tool_results', {
    params: { id: sandbox },
    body: {
      tools: [tool],
      content: [{ type: 'tool_use', id, name, ...ofToolset, input }],
    },
  });
  return content[0];
}
