import type { ReactElement } from 'react';
import { Folded } from './folded.tsx';
import type { Found } from './found.ts';

interface SearchViewProps {
  readonly pattern: string;
  readonly found: Found;
  readonly output: string;
}

/** What a search found, by file. */
export function SearchView({ pattern, found: { files, notes }, output }: SearchViewProps): ReactElement {
  const lines = files.reduce((sum, file) => sum + file.lines.length, 0);
  const what = files.length === 1 ? '1 file' : `${files.length} files`;
  return (
    <div className="file-view">
      <p className="file-path">
        <code>{pattern}</code>
        <span className="counts figures">{lines === 0 ? what : `${lines} in ${what}`}</span>
      </p>
      <Folded text={output}>
        <ul className="found plain" tabIndex={0} aria-label={`Found for ${pattern}`}>
          {files.map((file) => (
            <li key={file.path}>
              <code className="found-path">{file.path}</code>
              {file.lines.map(({ number, text }) => (
                <code key={number} className="found-line">
                  <span className="quiet figures">{number}</span> <Marked text={text} pattern={pattern} />
                </code>
              ))}
            </li>
          ))}
          {notes.map((note) => (
            <li key={note} className="quiet">
              {note}
            </li>
          ))}
        </ul>
      </Folded>
    </div>
  );
}

/** Marks the first match where the pattern is one that this browser understands, too. */
function Marked({ text, pattern }: { readonly text: string; readonly pattern: string }): ReactElement {
  const match = matchOf(text, pattern);
  if (match === null || match[0] === '') return <>{text}</>;
  const end = match.index + match[0].length;
  return (
    <>
      {text.slice(0, match.index)}
      <mark>{match[0]}</mark>
      {text.slice(end)}
    </>
  );
}

function matchOf(text: string, pattern: string): RegExpExecArray | null {
  // A pattern with nested repetition may take for ever on a long line.
  if (text.length > 500 || /[*+}]\)?[*+{]/.test(pattern)) return null;
  try {
    return new RegExp(pattern).exec(text);
  } catch {
    return null;
  }
}
