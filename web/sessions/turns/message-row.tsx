import type { ReactElement, ReactNode } from 'react';
import { Picture } from '../../parts/picture.tsx';
import { Folded } from '../tools/folded.tsx';
import { textOf } from './event-types.ts';
import type { EventRow } from './rows.ts';

const WHO: Readonly<Record<string, readonly [name: string, side: string]>> = {
  'user.message': ['You', 'user'],
  'agent.message': ['Agent', 'agent'],
  'system.message': ['System', 'system'],
};

interface MessageRowProps {
  readonly row: EventRow;
  readonly time: ReactNode;
}

/** What a person or the agent said, with the pictures that a person sent along. */
export function MessageRow({ row: { event }, time }: MessageRowProps): ReactElement {
  const [name, side] = WHO[event.type] ?? ['', 'system'];
  const content = 'content' in event ? (event.content as readonly Block[]) : [];
  const text = textOf(content);
  return (
    <div className={`entry message ${side}`}>
      <div className="line">
        <strong>{name}</strong>
        {time}
      </div>
      {text === '' ? null : side === 'user' ? (
        <Folded text={text}>
          <p className="text">{text}</p>
        </Folded>
      ) : (
        <p className="text">{text}</p>
      )}
      {content.map(({ source }, index) =>
        source?.url === undefined ? null : (
          <Picture key={index} url={source.url} alt="A picture in the message" className="file-picture" />
        ),
      )}
    </div>
  );
}

interface Block {
  readonly type: string;
  readonly source?: { readonly url?: string };
}
