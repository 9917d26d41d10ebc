/** What `fetch` takes to send JSON. */
export const posted = (
  body: unknown,
  headers: Record<string, string> = {},
): { method: 'POST'; headers: Record<string, string>; body: string } => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
