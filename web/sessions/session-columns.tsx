import type { Session } from '../client/api.ts';
import { CopyableId } from '../parts/copyable.tsx';
import { costOf } from '../models/price.ts';
import type { Price } from '../models/routing.ts';
import { formatMoney, formatShort } from '../parts/format.ts';
import type { TableColumn } from '../parts/table-columns.ts';
import { When } from '../parts/when.tsx';
import { SessionStatus } from './session-status.tsx';

const COLUMNS: readonly TableColumn<Session>[] = [
  {
    id: 'title',
    title: 'Session',
    width: 'minmax(0, 2.4fr)',
    cell: ({ title, agent }) => title ?? agent.name,
  },
  { id: 'status', title: 'Status', width: '124px', cell: (session) => <SessionStatus session={session} /> },
  { id: 'agent', title: 'Agent', hideOn: 'phone', cell: ({ agent }) => agent.name },
  { id: 'model', title: 'Model', hideOn: 'tablet', cell: ({ agent }) => agent.model.id },
  {
    id: 'tokens',
    title: 'Tokens',
    width: '84px',
    align: 'end',
    hideOn: 'tablet',
    cell: ({ usage }) => (
      <span className="figures">{formatShort((usage.input_tokens ?? 0) + (usage.output_tokens ?? 0))}</span>
    ),
  },
  { id: 'id', title: 'Id', width: '150px', hideOn: 'tablet', cell: ({ id }) => <CopyableId id={id} short /> },
  {
    id: 'created',
    title: 'Begun',
    width: '92px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ created_at }) => <When at={created_at} />,
  },
];

/** The columns of the list; what sessions cost is one where any of them has a price. */
export function sessionColumns(
  sessions: readonly Session[],
  priceOf: (model: string) => Price | undefined,
): readonly TableColumn<Session>[] {
  if (sessions.every(({ agent }) => priceOf(agent.model.id) === undefined)) return COLUMNS;
  const price: TableColumn<Session> = {
    id: 'price',
    title: 'Price',
    width: '84px',
    align: 'end',
    hideOn: 'tablet',
    cell: (session) => {
      const known = priceOf(session.agent.model.id);
      return known === undefined ? null : <span className="figures">{moneyOf(session, known)}</span>;
    },
  };
  return COLUMNS.flatMap((column) => (column.id === 'tokens' ? [column, price] : [column]));
}

function moneyOf({ usage }: Session, price: Price): string {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation } = usage;
  const tokens = {
    input: input_tokens ?? 0,
    output: output_tokens ?? 0,
    cacheRead: cache_read_input_tokens ?? 0,
    cacheWritten:
      (cache_creation?.ephemeral_5m_input_tokens ?? 0) + (cache_creation?.ephemeral_1h_input_tokens ?? 0),
  };
  return formatMoney(costOf(tokens, price), price.currency);
}
