import { type ReactElement, useMemo } from 'react';
import { Folded } from './folded.tsx';
import { ansiSpans } from './ansi.ts';

interface TerminalViewProps {
  readonly command: string | undefined;
  readonly output: string;
}

/** A command and its output, as a terminal shows them. */
export function TerminalView({ command, output }: TerminalViewProps): ReactElement {
  const spans = useMemo(() => ansiSpans(output), [output]);
  return (
    <div className="terminal">
      <pre className="command" tabIndex={0} role="group" aria-label="Command">
        {command ?? <span className="quiet">a new shell</span>}
      </pre>
      {output === '' ? null : (
        <Folded text={output}>
          <pre tabIndex={0} role="group" aria-label="Output">
            {spans.map(({ text, classes }, index) =>
              classes === '' ? (
                text
              ) : (
                <span key={index} className={classes}>
                  {text}
                </span>
              ),
            )}
          </pre>
        </Folded>
      )}
    </div>
  );
}
