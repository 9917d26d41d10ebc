import type { ReactElement } from 'react';
import { formatCount, formatDuration } from '../parts/format.ts';
import { KeyValues } from '../parts/key-values.tsx';
import { When } from '../parts/when.tsx';
import type { Provider } from './routing.ts';

const KEYS = {
  set: 'Set',
  none: 'None',
  missing: 'Missing',
} as const satisfies Record<Provider['key'], string>;

const IN_PROCESS = ['script', 'replay'];

/** What a provider is, and its figures. */
export function ProviderFacts({ provider }: { readonly provider: Provider }): ReactElement {
  const { kind, address, key, last_contact_at: contact, latency, tokens } = provider;
  const inProcess = kind !== null && IN_PROCESS.includes(kind);
  return (
    <KeyValues
      label={`About ${provider.name}`}
      entries={[
        ['Type', kind ?? undefined],
        ['Address', address ?? (inProcess ? 'In this process' : 'The type’s own')],
        ['Key', inProcess ? undefined : KEYS[key]],
        ['Last contact', contact === null ? 'None yet' : <When key="contact" at={contact} />],
        ['Requests', requestsIn(provider)],
        ['Tokens in, out', `${formatCount(tokens.input)}, ${formatCount(tokens.output)}`],
        [
          'Tokens of the cache',
          tokens.cache_read + tokens.cache_write === 0
            ? undefined
            : `${formatCount(tokens.cache_read)} read, ${formatCount(tokens.cache_write)} written`,
        ],
        ['Time for a reply', pair(latency.p50_ms, latency.p95_ms)],
        ['Time to the first token', pair(latency.first_token_p50_ms, latency.first_token_p95_ms)],
      ]}
    />
  );
}

function requestsIn({ requests, failed, cancelled, under_way: open }: Provider): string {
  const more = [
    [open, 'under way'],
    [failed, 'failed'],
    [cancelled, 'given up by the client'],
  ] as const;
  return [
    formatCount(requests),
    ...more.flatMap(([count, words]) => (count === 0 ? [] : [`${formatCount(count)} ${words}`])),
  ].join(', ');
}

/** The median, and what nineteen of twenty stay below. */
function pair(half: number | null, most: number | null): string | undefined {
  return half === null || most === null
    ? undefined
    : `${formatDuration(half)} (p50), ${formatDuration(most)} (p95)`;
}
