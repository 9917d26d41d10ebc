import { type Request, Router } from 'express';
import { z } from 'zod';
import { ApiError, type ScreenRecording } from '@steadyhand/contracts';
import { parse } from '@steadyhand/sessions';
import type { ServerDeps } from '../deps.ts';
import { pathPart } from '../query.ts';
import { route } from '../routing.ts';
import { sendBytes } from '../send-bytes.ts';

export const recordingBody = z.strictObject({ action: z.enum(['start', 'stop']) });

/** Videos of sandboxes' screens: `/v1/sandboxes/{id}/recording` and its segments. */
export function screenRecordingRoutes({
  sandboxes,
  screenRecording,
}: Pick<ServerDeps, 'sandboxes' | 'screenRecording'>): Router {
  const router = Router();
  const sandboxOf = async (req: Request): Promise<string> => (await sandboxes.get(pathPart(req, 'id'))).id;
  route(router, '/v1/sandboxes/:id/recording', {
    get: async (req, res) => {
      const id = await sandboxOf(req);
      res.json(view(id, await screenRecording.read(id)));
    },
    post: async (req, res) => {
      const id = await sandboxOf(req);
      const { action } = parse(recordingBody, req.body);
      res.json(view(id, await screenRecording.switch(id, action)));
    },
  });
  route(router, '/v1/sandboxes/:id/recording/segments/:n', {
    get: async (req, res) => {
      const id = await sandboxOf(req);
      const number = pathPart(req, 'n');
      if (!/^[1-9]\d{0,8}$/.test(number))
        throw new ApiError('not_found_error', `there is no segment ${number}`);
      const { sizeBytes, body } = await screenRecording.segment(id, Number(number));
      res.set({
        'content-type': 'video/webm',
        'content-length': String(sizeBytes),
        'content-disposition': `inline; filename="${id}-${number}.webm"`,
        'cache-control': 'private, no-cache',
      });
      await sendBytes(req, res, body);
    },
  });
  return router;
}

function view(id: string, recording: ScreenRecording): object {
  return { type: 'sandbox_recording', sandbox_id: id, ...recording };
}
