import { type FormEvent, type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { call, RequestFailedError } from './client/api.ts';
import { storeKey } from './client/api.ts';

/** Asks for the API key when the server wants one, and shows the page once it is let in. */
export function KeyGate({ children }: { readonly children: ReactNode }): ReactElement | null {
  const [state, setState] = useState<'checking' | 'open' | 'closed'>('checking');
  const [message, setMessage] = useState<string>();

  const check = async (): Promise<void> => {
    try {
      await call('GET /v1/sessions', { query: { limit: '20' } });
      setState('open');
    } catch (error) {
      // The page itself explains any other failure better.
      const refused = error instanceof RequestFailedError && error.status === 401;
      setState(refused ? 'closed' : 'open');
      setMessage(
        refused && error.message === 'invalid x-api-key' ? 'This key is not the right one.' : undefined,
      );
    }
  };
  useEffect(() => void check(), []);

  if (state === 'checking') return null;
  if (state === 'open') return <>{children}</>;

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    storeKey(typeof key === 'string' ? key.trim() : '');
    void check();
  };
  return (
    <form className="card key-form" onSubmit={submit}>
      <h1>API key</h1>
      <p className="quiet">
        This server asks for its key. It was printed at the first start, or set as API_KEY.
      </p>
      <label htmlFor="key">Key</label>
      <input id="key" name="key" type="password" autoComplete="current-password" required autoFocus />
      {message === undefined ? null : <p role="alert">{message}</p>}
      <button type="submit" className="primary">
        Continue
      </button>
    </form>
  );
}
