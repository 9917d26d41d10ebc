import type { ReactElement } from 'react';
import type { ApiAnswer } from '../client/api.ts';
import { formatMoney, formatShort } from '../parts/format.ts';
import { type ModelRow, modelRows } from './model-rows.ts';
import type { Price, Provider } from './routing.ts';

interface ModelTableProps {
  readonly provider: Provider;
  readonly providers: readonly Provider[];
  readonly listed: ApiAnswer<'GET /v1/models'>['data'];
}

const HEADS = ['Model', 'In', 'Out', 'Cache write', 'Cache read', 'Requests', 'Tokens in', 'Tokens out'];

/** The models that a provider serves: what a million tokens cost where that is configured, and what was asked of each. */
export function ModelTable(props: ModelTableProps): ReactElement {
  const { provider } = props;
  const rows = modelRows(props);
  if (rows.length === 0) return <p className="quiet">No model leads to this provider.</p>;
  const priced = rows.some(({ price }) => price !== undefined);
  const heads = priced ? HEADS : HEADS.filter((_, index) => index === 0 || index > 4);
  return (
    <div className="wide-table" tabIndex={0} role="group" aria-label={`Models of ${provider.name}, scrolled`}>
      <table aria-label={`Models of ${provider.name}`} className="figures">
        {priced ? <caption>Prices are those of a million tokens.</caption> : null}
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} row={row} priced={priced} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, priced }: { readonly row: ModelRow; readonly priced: boolean }): ReactElement {
  const { name, note, price, use } = row;
  const figure = (value: number | undefined): string => (value === undefined ? '' : formatShort(value));
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        {note === undefined ? null : <span className="quiet small"> {note}</span>}
      </th>
      {priced
        ? (['input', 'output', 'cache_write', 'cache_read'] as const).map((kind) => (
            <td key={kind}>{price === undefined ? '' : amountOf(price, kind)}</td>
          ))
        : null}
      <td>{figure(use?.requests)}</td>
      <td>{figure(use?.tokens.input)}</td>
      <td>{figure(use?.tokens.output)}</td>
    </tr>
  );
}

function amountOf(price: Price, kind: Exclude<keyof Price, 'currency'>): string {
  return formatMoney(price[kind], price.currency);
}
