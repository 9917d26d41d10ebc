import { useQuery } from '@tanstack/react-query';
import type { Grant } from '@steadyhand/sessions';
import { type ReactElement, useState } from 'react';
import { read } from '../../client/queries.ts';
import { messageOf } from '../../client/request.ts';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { grantText } from '../policy/grants.ts';

interface AlwaysProps {
  readonly session: string;
  readonly toolUse: string;
  readonly busy: boolean;
  readonly onGrant: (grant: Grant) => void;
}

/** Approves, and says exactly what will not be asked again in this session. */
export function Always({ session, toolUse, busy, onGrant }: AlwaysProps): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <details className="always" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Always for this session</summary>
      {open ? <Choices session={session} toolUse={toolUse} busy={busy} onGrant={onGrant} /> : null}
    </details>
  );
}

function Choices({ session, toolUse, busy, onGrant }: AlwaysProps): ReactElement {
  const params = { id: session, tool_use: toolUse };
  const { data, error } = useQuery({
    ...read('GET /v1/sessions/{id}/tool_uses/{tool_use}/grants', { params }),
    staleTime: Infinity,
  });
  const [chosen, setChosen] = useState(0);
  if (error !== null) return <Problem text={messageOf(error)} />;
  if (data === undefined) return <Loading rows={2} />;
  const grant = data.data[chosen];
  if (grant === undefined)
    return <p className="quiet">This can only be allowed once: nothing narrow would cover it.</p>;
  return (
    <fieldset>
      <legend>Approve, and from now on allow without asking:</legend>
      {data.data.map((choice, index) => (
        <label key={index} className="choice">
          <input
            type="radio"
            name={`always-${toolUse}`}
            checked={index === chosen}
            onChange={() => setChosen(index)}
          />
          <span>{grantText(choice)}</span>
        </label>
      ))}
      <Button size="small" disabled={busy} onClick={() => onGrant(grant)}>
        Approve and remember
      </Button>
    </fieldset>
  );
}
