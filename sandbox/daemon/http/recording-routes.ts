import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { SandboxError } from '@steadyhand/contracts';
import type { ScreenRecorder } from '../recording/screen-recorder.ts';
import { type DaemonRoute, type Exchange, readJson, sendJson } from './exchange.ts';

/** `GET /recording`, `POST /recording {action: 'start' | 'stop'}`, `GET /recording/segment?number=`. */
export function recordingRoutes({
  recording,
}: {
  readonly recording: ScreenRecorder;
}): readonly DaemonRoute[] {
  return [
    {
      method: 'GET',
      path: '/recording',
      handle: ({ response }) => sendJson(response, 200, recording.state()),
    },
    {
      method: 'POST',
      path: '/recording',
      handle: async ({ request, response }) => {
        const { action } = (await readJson(request)) as { readonly action?: unknown };
        if (action !== 'start' && action !== 'stop')
          throw new SandboxError('invalid_request', 'action: expected "start" or "stop"');
        sendJson(response, 200, await recording[action]());
      },
    },
    {
      method: 'GET',
      path: '/recording/segment',
      handle: (exchange) => sendFile(exchange, recording.pathOf(Number(exchange.query.get('number')))),
    },
  ];
}

/** Sends the bytes that the file has now; a file that still grows ends there. */
async function sendFile({ response }: Exchange, path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    response.writeHead(200, { 'content-type': 'video/webm', 'content-length': size });
    if (size === 0) response.end();
    else await pipeline(file.createReadStream({ end: size - 1, autoClose: false }), response);
  } finally {
    await file.close();
  }
}
