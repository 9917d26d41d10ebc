/** The product's own figure of how long its event loop was held up, in ms: the 99th percentile since it was last asked. */
export async function eventLoopP99(url: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const match = /^\S*nodejs_eventloop_lag_p99_seconds\S* (\S+)$/m.exec(text);
  return Number(match?.[1] ?? Number.NaN) * 1000;
}
