import { type FormEvent, type KeyboardEvent, type ReactElement, useState } from 'react';
import { sendEvents, type Session } from '../client/api.ts';
import { describeUse, type ToolUse } from './timeline.ts';
import { useAction } from '../parts/use-action.ts';

interface ControlsProps {
  readonly session: Session;
  readonly pending: readonly ToolUse[];
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
  const answer = (use: ToolUse, result: 'allow' | 'deny'): void =>
    action.run(() =>
      sendEvents(session.id, [{ type: 'user.tool_confirmation', tool_use_id: use.id, result }]),
    );
  const interrupt = (): void => action.run(() => sendEvents(session.id, [{ type: 'user.interrupt' }]));

  return (
    <section className="controls card" aria-label="Controls">
      {pending.map((use) => (
        <div
          className="approval"
          key={use.id}
          role="group"
          aria-label={`The agent asks: ${describeUse(use)}`}
        >
          <p>
            The agent asks to use <strong>{use.name}</strong>:
          </p>
          <pre>{describeUse(use)}</pre>
          <div className="buttons">
            <button
              type="button"
              className="primary"
              disabled={action.busy}
              onClick={() => answer(use, 'allow')}
            >
              Approve
            </button>
            <button
              type="button"
              className="danger"
              disabled={action.busy}
              onClick={() => answer(use, 'deny')}
            >
              Deny
            </button>
          </div>
        </div>
      ))}
      <form onSubmit={submit}>
        <label htmlFor="message" className="hidden">
          Message
        </label>
        <textarea
          id="message"
          rows={3}
          value={text}
          placeholder={ended ? 'This session has ended.' : 'Say what to do. Ctrl+Enter sends it.'}
          disabled={ended}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
        <div className="buttons">
          <button type="submit" className="primary" disabled={ended || action.busy || text.trim() === ''}>
            Send
          </button>
          <button type="button" disabled={!working || action.busy} onClick={interrupt}>
            Interrupt
          </button>
        </div>
      </form>
      {action.problem === undefined ? null : (
        <p role="alert" className="problem">
          {action.problem}
        </p>
      )}
    </section>
  );
}
