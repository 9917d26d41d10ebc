import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, type ReactNode, useState } from 'react';
import { access, letIn, storeKey } from '../client/access.ts';
import { call } from '../client/api.ts';
import { messageOf, RequestFailedError } from '../client/request.ts';
import { useStore } from '../client/store.ts';
import { Button } from '../parts/button.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** Asks for the API key once the server has refused an answer without one, and shows the page when it is let in. */
export function KeyGate({ children }: { readonly children: ReactNode }): ReactElement {
  const state = useStore(access);
  return state.kind === 'open' ? <>{children}</> : <KeyForm refusal={state.message} />;
}

function KeyForm({ refusal }: { readonly refusal: string }): ReactElement {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const check = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await call('GET /v1/sessions', { query: { limit: '1' } });
      client.clear();
      letIn();
    } catch (error) {
      const refused = error instanceof RequestFailedError && error.status === 401;
      setFailure(refused ? undefined : messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    storeKey(typeof key === 'string' ? key.trim() : '');
    void check();
  };
  const message = failure ?? (refusal === 'invalid x-api-key' ? 'This key is not the right one.' : undefined);
  return (
    <form className="card key-form" onSubmit={submit}>
      <PageHeader title="API key" />
      <p className="quiet">
        This server asks for its key. It was printed at the first start, or set as API_KEY.
      </p>
      <label htmlFor="key">Key</label>
      <input id="key" name="key" type="password" autoComplete="current-password" required autoFocus />
      {message === undefined ? null : (
        <p role="alert" className="problem">
          {message}
        </p>
      )}
      <Button type="submit" tone="primary" disabled={busy}>
        Continue
      </Button>
    </form>
  );
}
