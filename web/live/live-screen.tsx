import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react';
import { useLiveScreen } from './use-live-screen.ts';
import { useTakeover } from './use-takeover.ts';
import type { Place } from '../client/watching-api.ts';

interface LiveScreenProps {
  readonly place: Place;
  readonly id: string;
  /** Returns to what was shown before; left out where there is nothing else to show. */
  readonly onClose?: () => void;
}

const STATES = {
  connecting: 'Connecting…',
  open: 'Live, view only',
  gone: 'There is nothing to watch any more.',
} as const;

/** Shows the screen live and lets a person take mouse and keyboard. Shift+Escape moves the focus out of it again. */
export function LiveScreen({ place, id, onClose }: LiveScreenProps): ReactElement {
  const [hideKeys, setHideKeys] = useState(false);
  const { mine, waiting, taken, action, take, giveBack } = useTakeover(place, id);
  const { target, state, problem } = useLiveScreen(place, id, mine);
  const back = useRef<HTMLButtonElement>(null);

  const onKey = (event: KeyboardEvent): void => {
    if (mine === null || event.key !== 'Escape' || !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    back.current?.focus();
  };
  const status =
    mine !== null && state === 'open'
      ? 'You have mouse and keyboard. Shift+Escape leaves the screen.'
      : waiting
        ? 'Waiting for the agent’s action to end…'
        : taken
          ? 'Another person has mouse and keyboard.'
          : STATES[state];

  return (
    <section className="screen live-screen card" aria-label="Live screen">
      <div
        ref={target}
        className={mine === null ? 'vnc' : 'vnc acting'}
        role={mine === null ? 'img' : 'application'}
        aria-label={mine === null ? 'The screen, live' : 'The screen: mouse and keyboard are yours'}
        onKeyDownCapture={onKey}
      />
      <div className="live-bar">
        <span role="status" aria-live="polite" className="live-status">
          {status}
        </span>
        {mine === null && !waiting ? (
          <>
            <label className="check">
              <input
                type="checkbox"
                checked={hideKeys}
                onChange={(event) => setHideKeys(event.target.checked)}
              />
              Do not record keys
            </label>
            <button
              type="button"
              className="primary"
              disabled={action.busy || taken || state === 'gone'}
              onClick={() => take(hideKeys)}
            >
              Take over
            </button>
          </>
        ) : (
          <button type="button" className="primary" ref={back} disabled={action.busy} onClick={giveBack}>
            Hand back
          </button>
        )}
        {onClose === undefined || mine !== null ? null : (
          <button type="button" onClick={onClose}>
            Stop watching
          </button>
        )}
      </div>
      {(action.problem ?? problem) === undefined ? null : (
        <p role="alert" className="problem">
          {action.problem ?? problem}
        </p>
      )}
    </section>
  );
}
