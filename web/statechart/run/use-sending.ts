import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../client/queries.ts';
import { sendEvent, type Way, waysOf } from './send-event.ts';

interface Sending {
  /** The ways there are now, the better one first. */
  readonly ways: readonly Way[];
  readonly way: Way | undefined;
  readonly choose: (way: Way) => void;
  /** Why nothing can be sent. */
  readonly obstacle: string | undefined;
  readonly send: (type: string, payload: object) => Promise<string>;
}

/** How events are sent to a run: by update where its worker takes one, else by signal, or as a person chooses. */
export function useSending(
  workflowId: string,
  runId: string,
  types: readonly string[],
  isNewest: boolean,
): Sending {
  const params = { workflow_id: workflowId };
  const query = { run_id: runId };
  const { data: workflow } = useQuery(read('GET /v1/workflows/{workflow_id}', { params, query }));
  const isOpen = workflow?.status === 'running';
  const { data: takes } = useQuery({
    ...read('GET /v1/workflows/{workflow_id}/interface', { params, query }),
    // A worker is asked for it, and a run keeps its code.
    enabled: isOpen && isNewest && types.length > 0,
    staleTime: 60_000,
  });
  const [chosen, choose] = useState<Way>();
  const allowed = waysOf(takes, types).filter((way) => workflow?.actions[way].available === true);
  const way = allowed.find((one) => one === chosen) ?? allowed[0];
  const refused = workflow?.actions.update;
  const obstacle =
    way !== undefined || workflow === undefined
      ? undefined
      : refused?.available === false
        ? (refused.reason ?? undefined)
        : 'The worker of this run takes no events, neither by an update nor by a signal.';
  return {
    ways: allowed,
    way,
    choose,
    obstacle,
    send: async (type, payload) =>
      await sendEvent(way ?? 'update', type, payload, { workflowId, runId, takes }),
  };
}
