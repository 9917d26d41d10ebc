import type { ReactElement } from 'react';

/** What went wrong with something a person did, where something did. */
export function Problem({ text }: { readonly text: string | undefined }): ReactElement | null {
  if (text === undefined) return null;
  return (
    <p role="alert" className="problem">
      {text}
    </p>
  );
}
