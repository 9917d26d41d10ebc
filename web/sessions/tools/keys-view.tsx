import type { ReactElement } from 'react';

/** Keys that were pressed together or one after the other: `ctrl+s`, `ctrl+a Delete`. */
export function KeysView({ keys }: { readonly keys: string }): ReactElement {
  return (
    <p className="pressed-keys" aria-label={`Keys: ${keys}`} role="group">
      {keys
        .split(/\s+/)
        .filter((chord) => chord !== '')
        .map((chord, index) => (
          <span key={index} className="chord">
            {(chord === '+' ? ['+'] : chord.split('+')).map((key, place) => (
              <kbd key={place}>{key}</kbd>
            ))}
          </span>
        ))}
    </p>
  );
}

/** Text that was typed; line breaks and tabs are shown as the keys that they are. */
export function TypedView({ text }: { readonly text: string }): ReactElement {
  const pieces = text.split(/(\n|\t)/).filter((piece) => piece !== '');
  return (
    <p className="pressed-keys typed" aria-label={`Typed: ${text}`} role="group">
      {pieces.map((piece, index) =>
        piece === '\n' || piece === '\t' ? (
          <kbd key={index}>{piece === '\n' ? '⏎' : '⇥'}</kbd>
        ) : (
          <kbd key={index} className="text">
            {piece}
          </kbd>
        ),
      )}
    </p>
  );
}
