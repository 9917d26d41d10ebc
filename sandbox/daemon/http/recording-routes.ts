import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { invalidRequest } from '../../invalid-request.ts';
import type { ScreenRecorder } from '../recording/screen-recorder.ts';
import { type DaemonRoutes, type Exchange, readJson } from './exchange.ts';

/** `GET /recording`, `POST /recording {action: 'start' | 'stop'}`, `GET /recording/segment?number=`. */
export function recordingRoutes({ recording }: { readonly recording: ScreenRecorder }): DaemonRoutes {
  return {
    'GET /recording': () => recording.state(),
    'POST /recording': async ({ request }) => {
      const { action } = (await readJson(request)) as { readonly action?: unknown };
      if (action !== 'start' && action !== 'stop') throw invalidRequest('action: expected "start" or "stop"');
      return recording[action]();
    },
    'GET /recording/segment': (exchange) =>
      sendFile(exchange, recording.pathOf(Number(exchange.query.get('number')))),
  };
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
