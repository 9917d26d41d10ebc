import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { type ApiAnswer, call } from '../client/api.ts';
import { outdate } from '../client/queries.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Problem } from '../parts/problem.tsx';
import { useAction } from '../parts/use-action.ts';
import { When } from '../parts/when.tsx';
import { ModelTable } from './model-table.tsx';
import { ProviderErrors } from './provider-errors.tsx';
import { ProviderFacts } from './provider-facts.tsx';
import type { Provider } from './routing.ts';

interface ProviderCardProps {
  readonly provider: Provider;
  readonly providers: readonly Provider[];
  /** What the upstreams list. */
  readonly listed: ApiAnswer<'GET /v1/models'>['data'];
}

const STATES = {
  ok: { label: 'answers', tone: 'good' },
  limited: { label: 'asks for less', tone: 'waiting' },
  failing: { label: 'fails', tone: 'failed' },
  unknown: { label: 'not asked yet', tone: 'neutral' },
  off: { label: 'off', tone: 'neutral' },
} as const satisfies Record<Provider['state'], { readonly label: string; readonly tone: Tone }>;

/** One provider, with everything that is known of it. */
export function ProviderCard({ provider, providers, listed }: ProviderCardProps): ReactElement {
  const { name, state, reason, waiting_until: until, checkable } = provider;
  const client = useQueryClient();
  const action = useAction();
  const check = (): void =>
    action.run(async () => {
      await call('POST /v1/providers/{name}/check', { params: { name } });
      await outdate(client, 'GET /v1/providers', 'GET /v1/models');
    });
  return (
    <Card
      title={name}
      wide
      beside={
        <>
          <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
          {checkable ? (
            <Button
              size="small"
              busy={action.busy}
              onClick={check}
              aria-label={action.busy ? undefined : `Check now: ${name}`}
            >
              <RefreshCw size={13} aria-hidden />
              {action.busy ? 'Checking…' : 'Check now'}
            </Button>
          ) : null}
        </>
      }
    >
      <Problem text={action.problem} />
      {reason === null ? null : (
        <p className={state === 'failing' ? 'problem' : 'notice'}>
          {reason}
          {until === null ? null : (
            <>
              {' '}
              It asks to be left alone until <When at={until} as="clock" />; sessions wait for that by
              themselves.
            </>
          )}
        </p>
      )}
      <ProviderFacts provider={provider} />
      <ModelTable provider={provider} providers={providers} listed={listed} />
      <ProviderErrors errors={provider.errors} />
    </Card>
  );
}
