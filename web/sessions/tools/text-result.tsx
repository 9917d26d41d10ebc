import type { ReactElement } from 'react';
import { Folded } from './folded.tsx';

interface TextResultProps {
  readonly text: string;
  readonly failed: boolean;
}

/** What a tool answered in words. */
export function TextResult({ text, failed }: TextResultProps): ReactElement | null {
  if (text === '') return null;
  return (
    <Folded text={text}>
      <pre className={failed ? 'result failed' : 'result'} tabIndex={0} role="group" aria-label="Result">
        {text}
      </pre>
    </Folded>
  );
}
