import type { ReactElement } from 'react';
import { sendEvents } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { When } from '../../parts/when.tsx';
import { grantText, type LoggedGrant } from './grants.ts';

interface GrantedProps {
  readonly session: string;
  readonly grants: readonly LoggedGrant[];
  /** The session takes no more events. */
  readonly ended: boolean;
  readonly onChoose: (event: string) => void;
}

/** What the agent may do for the rest of the session without asking; each can be withdrawn. */
export function Granted({ session, grants, ended, onChoose }: GrantedProps): ReactElement {
  const action = useAction();
  const held = grants.filter(({ withdrawn }) => !withdrawn);
  const withdraw = (grant_id: string): void =>
    action.run(() => sendEvents(session, [{ type: 'user.grant_withdrawn', grant_id }]));
  return (
    <section aria-label="Allowed for this session">
      <h2>Allowed for this session</h2>
      {held.length === 0 ? <p className="quiet">Nothing: what has to be asked is asked each time.</p> : null}
      <ul className="plain grants">
        {held.map(({ id, at, grant }) => (
          <li key={id}>
            <button type="button" className="as-link" onClick={() => onChoose(id)}>
              {grantText(grant)}
            </button>
            <span className="quiet">
              since <When as="clock" at={at} />
            </span>
            <Button size="small" disabled={ended || action.busy} onClick={() => withdraw(id)}>
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
      <Problem text={action.problem} />
    </section>
  );
}
