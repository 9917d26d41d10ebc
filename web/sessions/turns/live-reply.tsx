import type { ReactElement } from 'react';
import type { Preview } from '../previews.ts';

/** What the model is thinking, saying or about to use, as it comes. */
export function LiveReply({ preview: { type, name, text } }: { readonly preview: Preview }): ReactElement {
  if (type === 'agent.message')
    return (
      <div className="entry message agent streaming">
        <div className="line">
          <strong>Agent</strong>
        </div>
        <p className="text">{text}</p>
      </div>
    );
  if (type === 'agent.thinking')
    return (
      <div className="entry thought streaming">
        <div className="line">Thinking…</div>
        <p className="text">{text}</p>
      </div>
    );
  return (
    <div className="entry tool streaming">
      <div className="line">
        <span className="tool-name">{name}</span>
        <span className="filler" />
        <span className="outcome">being written…</span>
      </div>
      {text === '' ? null : <pre className="result">{text}</pre>}
    </div>
  );
}
