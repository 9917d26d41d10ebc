import { memo, type ReactElement } from 'react';
import type { ChartState } from '../chart/chart.ts';
import { HEADER, INSET, type InnerLine, LINE, nameOf } from '../layout/sizes.ts';
import type { Rectangle } from '../layout/place.ts';

interface StateBoxProps {
  readonly state: ChartState;
  readonly box: Rectangle;
  readonly hasLines: boolean;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly isFolded: boolean;
  readonly isRegion: boolean;
  readonly isVisited: boolean;
  readonly onChoose: (id: string) => void;
}

/** The frame of a state. */
export const StateBox = memo(function StateBox(props: StateBoxProps): ReactElement {
  const { state, box, hasLines, isActive, isChosen, isFolded, isRegion, isVisited, onChoose } = props;
  const classes = [
    'state',
    state.kind,
    isActive && 'active',
    isChosen && 'chosen',
    isFolded && 'folded',
    isRegion && 'region',
    isVisited && 'visited',
  ];
  const { x, y, width, height } = box;
  return (
    <g
      className={classes.filter(Boolean).join(' ')}
      transform={`translate(${x} ${y})`}
      data-state={state.id}
      onClick={() => onChoose(state.id)}
    >
      <title>{state.description ?? state.id}</title>
      {state.kind === 'history' ? (
        <circle className="box" cx={width / 2} cy={height / 2} r={width / 2} />
      ) : (
        <rect className="box" width={width} height={height} rx={8} />
      )}
      {state.kind === 'final' ? (
        <rect className="inner" x={3} y={3} width={width - 6} height={height - 6} rx={6} />
      ) : null}
      {hasLines ? <line className="rule" x1={0} x2={width} y1={HEADER - 1} y2={HEADER - 1} /> : null}
    </g>
  );
});

interface StateTextProps {
  readonly state: ChartState;
  readonly box: Rectangle;
  readonly lines: readonly InnerLine[];
  readonly isFolded: boolean;
  readonly visits: number;
  /** How often each transition inside it was taken, with spaces between. */
  readonly counts: string;
  /** The places of those that the step has taken, with spaces between. */
  readonly taken: string;
}

/** What stands in a state. It is drawn after the lines between states, which may cross the frame of one that has others in it. */
export const StateText = memo(function StateText(props: StateTextProps): ReactElement {
  const { state, box, lines, isFolded, visits, counts, taken } = props;
  const { x, y, width, height } = box;
  const all = counts.split(' ');
  const now = taken.split(' ');
  if (state.kind === 'history') {
    return (
      <g className="state-text" data-of={state.id} transform={`translate(${x} ${y})`}>
        <text className="name" x={width / 2} y={height / 2 + 5} textAnchor="middle">
          {state.isDeep ? 'H*' : 'H'}
        </text>
      </g>
    );
  }
  return (
    <g className="state-text" data-of={state.id} transform={`translate(${x} ${y})`}>
      <text className="name" x={INSET} y={20}>
        {nameOf(state)}
        {isFolded ? ' ⊞' : ''}
      </text>
      <Count count={visits} right={width - INSET} y={20} />
      {lines.map(({ text, transition }, index) => (
        <g key={index} className={now.includes(String(index)) ? 'taken' : undefined}>
          <text className={transition === undefined ? 'does' : 'on'} x={INSET} y={HEADER + 13 + index * LINE}>
            {text}
          </text>
          <Count count={Number(all[index])} right={width - INSET} y={HEADER + 13 + index * LINE} />
        </g>
      ))}
    </g>
  );
});

interface CountProps {
  readonly count: number;
  readonly right: number;
  readonly y: number;
}

/** How often; nothing for never. */
export function Count({ count, right, y }: CountProps): ReactElement | null {
  if (!(count > 0)) return null;
  return (
    <text className="count" x={right} y={y} textAnchor="end">
      {count}×
    </text>
  );
}
