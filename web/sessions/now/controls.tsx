import { type FormEvent, type KeyboardEvent, type ReactElement, useState } from 'react';
import { sendEvents, type Session } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { ToolRow } from '../turns/rows.ts';
import { Approval } from './approval.tsx';

interface ControlsProps {
  readonly session: Session;
  readonly pending: readonly ToolRow[];
}

/** What a person can do with a session: say something, stop it, allow or deny what it asks for. */
export function Controls({ session, pending }: ControlsProps): ReactElement {
  const [text, setText] = useState('');
  const action = useAction();
  const ended = session.status === 'terminated' || session.archived_at !== null;
  const working = session.status === 'running' || session.status === 'rescheduling' || pending.length > 0;

  const say = (): void => {
    const message = text.trim();
    if (message === '' || action.busy) return;
    action.run(async () => {
      await sendEvents(session.id, [{ type: 'user.message', content: [{ type: 'text', text: message }] }]);
      setText('');
    });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    say();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) say();
  };
  const interrupt = (): void => action.run(() => sendEvents(session.id, [{ type: 'user.interrupt' }]));

  return (
    <section className="controls card" aria-label="Controls">
      {pending.map((row) => (
        <Approval key={row.id} session={session.id} row={row} />
      ))}
      <form onSubmit={submit}>
        <label htmlFor="message" className="hidden">
          Message
        </label>
        <textarea
          id="message"
          rows={2}
          value={text}
          placeholder={ended ? 'This session has ended.' : 'Say what to do. Ctrl+Enter sends it.'}
          disabled={ended}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
        <div className="buttons">
          <Button type="submit" tone="primary" disabled={ended || action.busy || text.trim() === ''}>
            Send
          </Button>
          <Button disabled={!working || action.busy} onClick={interrupt}>
            Interrupt
          </Button>
        </div>
      </form>
      <Problem text={action.problem} />
    </section>
  );
}
