import type { ReactElement } from 'react';
import { Picture } from '../../parts/picture.tsx';
import type { Screenshot } from '../time/screenshots.ts';
import { Folded } from './folded.tsx';

interface FileViewProps {
  readonly path: string;
  readonly text: string;
  /** The number of its first line. */
  readonly from?: number;
  /** A file that is a picture. */
  readonly picture?: Screenshot | undefined;
}

/** A file as it was read or written, with the numbers of its lines. */
export function FileView({ path, text, from = 1, picture }: FileViewProps): ReactElement {
  // Some editors number the lines themselves.
  const numbered = /^ *\d+\t/.test(text);
  return (
    <div className="file-view">
      <p className="file-path">
        <code>{path}</code>
      </p>
      {picture === undefined ? null : <Picture url={picture.url} alt={path} className="file-picture" />}
      {text === '' ? null : (
        <Folded text={text}>
          <pre tabIndex={0} role="group" aria-label={path} style={{ counterReset: `line ${from - 1}` }}>
            {numbered
              ? text
              : text
                  .replace(/\n$/, '')
                  .split('\n')
                  .map((line, index) => (
                    <span key={index} className="numbered">
                      {line}
                      {'\n'}
                    </span>
                  ))}
          </pre>
        </Folded>
      )}
    </div>
  );
}
