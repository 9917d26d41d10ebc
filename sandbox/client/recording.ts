import type { Readable } from 'node:stream';
import type { ScreenRecording } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

type Reach = Pick<Sandboxes, 'reach'>;

export function readRecording(sandboxes: Reach, id: string): Promise<ScreenRecording> {
  return sandboxes.reach(id, (link) => link.call<ScreenRecording>('GET', '/recording'));
}

/**
 * Starts the screen recording, or ends it and waits until its last segment is complete.
 * @throws SandboxError `invalid_request` when ffmpeg is not installed on the sandbox's machine
 */
export function switchRecording(
  sandboxes: Reach,
  id: string,
  action: 'start' | 'stop',
): Promise<ScreenRecording> {
  return sandboxes.reach(id, (link) =>
    link.call<ScreenRecording>('POST', '/recording', { body: { action } }),
  );
}

/**
 * A segment's current bytes, for the caller to read or destroy. Throws SandboxError `not_found` without such a segment.
 */
export function readSegment(
  sandboxes: Reach,
  id: string,
  number: number,
): Promise<{ readonly sizeBytes: number; readonly body: Readable }> {
  return sandboxes.reach(id, async (link) => {
    const { headers, body } = await link.stream('GET', `/recording/segment?number=${number}`);
    return { sizeBytes: Number(headers['content-length']), body };
  });
}
