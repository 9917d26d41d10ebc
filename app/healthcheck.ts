/**
 * `node dist/healthcheck.mjs`, the health check of the container: ends with 0 when the process beside it is ready. It asks on
 * `PORT`, where servers and image models answer, and on `HEALTH_PORT`, where a worker does.
 */
const { HOST, PORT, HEALTH_PORT } = process.env;

const ANY = new Set(['', '0.0.0.0', '::']);
const host = ANY.has(HOST ?? '') ? '127.0.0.1' : (HOST ?? '');
const name = host.includes(':') ? `[${host}]` : host;

async function isReady(port: string): Promise<boolean> {
  const answer = await fetch(`http://${name}:${port}/readyz`, { signal: AbortSignal.timeout(4000) }).catch(
    () => undefined,
  );
  return answer?.ok === true;
}

const answers = await Promise.all([PORT || '8080', HEALTH_PORT || '8081'].map(isReady));
process.exit(answers.includes(true) ? 0 : 1);
