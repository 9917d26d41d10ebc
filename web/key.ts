/** The API key of a server that wants one, kept by this browser for this server alone. */
const NAME = 'steadyhand-api-key';

export function storedKey(): string | null {
  return localStorage.getItem(NAME);
}

export function storeKey(key: string): void {
  if (key === '') localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, key);
}
