import { GuestStderr } from '../../../sandbox/daemon/computer/guest-stderr.ts';

function heard(...chunks: readonly (string | Buffer)[]): { text: string; logged: string[] } {
  const logged: string[] = [];
  const stderr = new GuestStderr((text) => logged.push(text));
  for (const chunk of chunks) stderr.accept(Buffer.from(chunk));
  return { text: stderr.text, logged };
}

it('puts pieces together as they were written', () => {
  const { text, logged } = heard('bwrap: ', 'no such file', ': /a/b\n');
  expect(text).toBe('bwrap: no such file: /a/b');
  expect(logged).toEqual(['bwrap:', 'no such file', ': /a/b']);
});

it('keeps a character whose bytes came in two pieces', () => {
  const [first, second] = [Buffer.from('naïve').subarray(0, 3), Buffer.from('naïve').subarray(3)];
  expect(heard(first, second).text).toBe('naïve');
});

it('takes no more than a bounded amount, however much is said', () => {
  const { text, logged } = heard(...Array.from({ length: 200 }, () => 'x'.repeat(10_000)));
  expect(logged.length).toBeLessThanOrEqual(50);
  expect(text.length).toBeLessThanOrEqual(100_000);
});
