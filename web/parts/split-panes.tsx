import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { readItem, writeItem } from '../client/saved.ts';

interface SplitPanesProps {
  readonly first: ReactNode;
  readonly second: ReactNode;
  /** Under which name this browser remembers where the line between them is. */
  readonly name: string;
  /** The first pane's share at first, in percent. */
  readonly initial?: number;
  /** What the line between them moves, for screen readers. */
  readonly label?: string;
}

const LEAST = 20;
const MOST = 80;

/** Two panes beside each other with a line to drag (or to move with the arrow keys); one below the other where it is narrow. */
export function SplitPanes(props: SplitPanesProps): ReactElement {
  const { first, second, name, initial = 60, label = 'Width of the first pane' } = props;
  const item = `steadyhand-split-${name}`;
  const [share, setShare] = useState(() => bounded(Number(readItem(item) ?? initial) || initial));
  const box = useRef<HTMLDivElement>(null);
  const move = (next: number): void => {
    setShare(bounded(next));
    writeItem(item, String(bounded(next)));
  };
  const drag = (event: PointerEvent): void => {
    const place = box.current?.getBoundingClientRect();
    if (place === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    move(((event.clientX - place.left) / place.width) * 100);
  };
  const onKey = (event: KeyboardEvent): void => {
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: share - 2,
      ArrowRight: share + 2,
      Home: LEAST,
      End: MOST,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    move(next);
  };
  return (
    <div className="split" ref={box} style={{ '--share': `${share}%` }}>
      <div className="pane">{first}</div>
      <div
        className="divider"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={Math.round(share)}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onKeyDown={onKey}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => move(initial)}
      />
      <div className="pane">{second}</div>
    </div>
  );
}

function bounded(share: number): number {
  return Math.max(LEAST, Math.min(MOST, share));
}
