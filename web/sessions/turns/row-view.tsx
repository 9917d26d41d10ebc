import { type ReactElement, memo } from 'react';
import { JsonTree } from '../../parts/json-tree.tsx';
import { formatName } from '../../parts/format.ts';
import { TextResult } from '../tools/text-result.tsx';
import { timeOf, textOf } from './event-types.ts';
import { noteOf } from './event-note.ts';
import { MessageRow } from './message-row.tsx';
import { MomentButton } from './moment-button.tsx';
import type { Row } from './rows.ts';
import { TakeoverRow } from './takeover-row.tsx';
import { ToolRow } from './tool-row.tsx';
import { TurnHead } from './turn-head.tsx';

interface RowViewProps {
  readonly row: Row;
  /** What the model thought, where this page saw it being thought. */
  readonly thought: string | undefined;
  readonly onChoose: (event: string) => void;
}

/** One row of the turns, as what it is. */
export const RowView = memo(function RowView({ row, thought, onChoose }: RowViewProps): ReactElement {
  if (row.kind === 'turn') return <TurnHead head={row} />;
  const at = 'event' in row ? timeOf(row.event) : timeOf(row.kind === 'takeover' ? row.started : row.use);
  const time = <MomentButton at={at} onChoose={() => onChoose(row.id)} />;
  switch (row.kind) {
    case 'message':
      return <MessageRow row={row} time={time} />;
    case 'tool':
      return <ToolRow row={row} time={time} />;
    case 'takeover':
      return <TakeoverRow row={row} time={time} />;
    case 'custom':
      return (
        <div className="entry tool">
          <div className="line">
            <span className="tool-name">{row.use.name}</span>
            <span className="filler" />
            <span className="outcome">{row.result === undefined ? 'waits for the client' : 'answered'}</span>
            {time}
          </div>
          <JsonTree value={row.use.input} label={`Input of ${row.use.name}`} />
          <TextResult text={textOf(row.result?.content)} failed={row.result?.is_error === true} />
        </div>
      );
    case 'error': {
      const { event } = row;
      const [name, message] =
        event.type === 'session.error' ? [event.error.type, event.error.message] : [event.type, ''];
      return (
        <div className="entry error">
          <div className="line">
            <strong>{formatName(name.replace(/_error$/, ''))}</strong>
            {time}
          </div>
          <p className="text">{message}</p>
        </div>
      );
    }
    case 'thought':
      return (
        <div className="entry thought">
          <div className="line">
            <span>Thought</span>
            {time}
          </div>
          {thought === undefined || thought === '' ? null : <p className="text">{thought}</p>}
        </div>
      );
    case 'note':
      return (
        <div className="entry note line">
          <span>{noteOf(row.event)}</span>
          {time}
        </div>
      );
  }
});
