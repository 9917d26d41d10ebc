import type { ReactElement, ReactNode } from 'react';
import { MarkedScreen } from '../tools/marked-screen.tsx';
import { noteOf } from './event-note.ts';
import type { TakeoverRow as Row } from './rows.ts';

/** A takeover: what the person did, and the screen that was handed back. */
export function TakeoverRow({ row, time }: { readonly row: Row; readonly time: ReactNode }): ReactElement {
  const { started, inputs, ended, after } = row;
  return (
    <div className="entry takeover">
      <div className="line">
        <strong>{noteOf(started)}</strong>
        {time}
      </div>
      {inputs.length === 0 ? null : (
        <details>
          <summary>What the person did</summary>
          <ul className="plain quiet">
            {inputs.map((input) => (
              <li key={input.id}>{noteOf(input)}</li>
            ))}
          </ul>
        </details>
      )}
      {ended === undefined ? null : <p>{noteOf(ended)}</p>}
      {after === undefined ? null : (
        <div className="before-after">
          <MarkedScreen url={after.url} alt="The screen as the person left it" />
        </div>
      )}
    </div>
  );
}
