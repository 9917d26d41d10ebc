import { type ReactElement, useMemo } from 'react';
import type { Session, SessionEvent } from '../../client/api.ts';
import { formatCount, formatDuration, formatMoney } from '../../parts/format.ts';
import { costOf, usePrices } from '../../models/price.ts';
import { KeyValues } from '../../parts/key-values.tsx';
import { costsOf, sumOf, type Tokens, totalOf } from './cost.ts';
import { Limits } from './limits.tsx';
import { TimeBar } from './time-bar.tsx';

interface CostPanelProps {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  readonly onChoose: (event: string) => void;
}

/** What a session cost in tokens and time: in sum, by turn, and against its limits. */
export function CostPanel({ session, events, onChoose }: CostPanelProps): ReactElement {
  const costs = useMemo(() => costsOf(events), [events]);
  const sum = useMemo(() => sumOf(costs), [costs]);
  const newest = costs.at(-1);
  const price = usePrices()(session.agent.model.id);
  const money = (tokens: Tokens): string | undefined =>
    price === undefined ? undefined : formatMoney(costOf(tokens, price), price.currency);
  return (
    <div className="panel cost-panel">
      <KeyValues
        label="Sum"
        entries={[
          ['Price', money(sum)],
          ['Tokens in', formatCount(sum.input)],
          ['Tokens out', formatCount(sum.output)],
          ['Read from the cache', formatCount(sum.cacheRead)],
          ['Written to the cache', formatCount(sum.cacheWritten)],
          [
            'Model requests',
            sum.failed === 0
              ? formatCount(sum.requests)
              : `${formatCount(sum.requests)}, ${formatCount(sum.failed)} failed`,
          ],
          ['Active', formatDuration((session.stats.active_seconds ?? 0) * 1000)],
        ]}
      />
      <TimeBar time={sum.time} />
      <Limits limits={session.limits} tokens={totalOf(sum)} turns={newest?.requests ?? 0} />
      {costs.length === 0 ? null : (
        <div className="wide" tabIndex={0} role="group" aria-label="Costs by turn, scrolled">
          <table aria-label="By turn" className="figures">
            <thead>
              <tr>
                {[
                  'Turn',
                  ...(price === undefined ? [] : ['Price']),
                  'In',
                  'Out',
                  'Cache read',
                  'Cache written',
                  'Model',
                  'Tools',
                  'You',
                ].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {costs.map((cost) => (
                <tr key={cost.event}>
                  <th scope="row">
                    <button type="button" className="as-link" onClick={() => onChoose(cost.event)}>
                      {cost.turn}
                    </button>
                  </th>
                  {price === undefined ? null : <td>{money(cost)}</td>}
                  <td>{formatCount(cost.input)}</td>
                  <td>{formatCount(cost.output)}</td>
                  <td>{formatCount(cost.cacheRead)}</td>
                  <td>{formatCount(cost.cacheWritten)}</td>
                  <td>{formatDuration(cost.time.model)}</td>
                  <td>{formatDuration(cost.time.tools)}</td>
                  <td>{formatDuration(cost.time.person)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
