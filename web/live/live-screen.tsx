import { type KeyboardEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useLiveScreen } from './use-live-screen.ts';
import { useTakeover } from './use-takeover.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Place } from '../client/watching-api.ts';

interface LiveScreenProps {
  readonly place: Place;
  readonly id: string;
  /** Returns to what was shown before; left out where there is nothing else to show. */
  readonly onClose?: () => void;
  /** Drawn over the screen; it takes no clicks. */
  readonly overlay?: ReactNode;
}

const STATES = {
  connecting: 'Connecting…',
  open: 'Live, view only',
  gone: 'There is nothing to watch any more.',
} as const;

/** Shows the screen live and lets a person take mouse and keyboard. Shift+Escape moves the focus out of it again. */
export function LiveScreen({ place, id, onClose, overlay }: LiveScreenProps): ReactElement {
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
      <div className="live-picture">
        <div
          ref={target}
          className={mine === null ? 'vnc' : 'vnc acting'}
          role={mine === null ? 'img' : 'application'}
          aria-label={mine === null ? 'The screen, live' : 'The screen: mouse and keyboard are yours'}
          // Who clicks here means the screen: what is typed then is no shortcut of the page.
          data-keys="off"
          tabIndex={-1}
          onPointerDownCapture={(event) =>
            mine === null ? event.currentTarget.focus({ preventScroll: true }) : undefined
          }
          onKeyDownCapture={onKey}
        />
        {overlay}
      </div>
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
            <Button
              tone="primary"
              disabled={action.busy || taken || state === 'gone'}
              onClick={() => take(hideKeys)}
            >
              Take over
            </Button>
          </>
        ) : (
          <Button tone="primary" ref={back} disabled={action.busy} onClick={giveBack}>
            Hand back
          </Button>
        )}
        {onClose === undefined || mine !== null ? null : <Button onClick={onClose}>Stop watching</Button>}
      </div>
      <Problem text={action.problem ?? problem} />
    </section>
  );
}
