import type { ReactElement } from 'react';

/** A text with what was searched for marked in it. `sought` is in lower case. */
export function Marked({ text, sought }: { readonly text: string; readonly sought: string }): ReactElement {
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought);
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + sought.length)}</mark>
      {text.slice(at + sought.length)}
    </>
  );
}
