import { z } from 'zod';
import { ApiError, type ScreenRecording } from '@steadyhand/contracts';
import { sendBytes } from '../http/send.ts';
import { bytesOf, count, json, time } from '../routing/shapes.ts';
import { routesOf, type DeepReadonly } from '../routing/route.ts';
import type { SandboxService, ScreenRecordingService } from './services.ts';

const sandboxRecording = z.object({
  type: z.literal('sandbox_recording'),
  sandbox_id: z.string(),
  status: z.enum(['recording', 'stopped']),
  error: z.string().nullable().describe('Why nothing is written although it is on; null where all is well'),
  limit_bytes: z.int().describe('Of all segments together; above it the oldest are deleted'),
  segments: z
    .array(
      z.object({
        number: z.int().min(1),
        started_at: time,
        size_bytes: count,
        active: z.boolean().describe('It still grows'),
      }),
    )
    .describe('Oldest first'),
}) satisfies z.ZodType<ScreenRecording>;

export interface RecordingRouteDeps {
  readonly sandboxes: Pick<SandboxService, 'get'>;
  readonly screenRecording: ScreenRecordingService;
}

const route = routesOf<RecordingRouteDeps>()('Sandboxes', {
  id: 'A sandbox’s id, `sbx_…`',
  n: 'A segment’s number, from 1',
});

/** The routes of the videos of sandboxes' screens. */
export const screenRecordingRoutes = [
  route(
    'GET /v1/sandboxes/{id}/recording',
    'retrieveSandboxRecording',
    'Retrieve the recording of a sandbox’s screen',
    {
      answer: sandboxRecording,
      errors: [500],
      handle: async ({ sandboxes, screenRecording }, { params }) => {
        const { id } = await sandboxes.get(params.id);
        return view(id, await screenRecording.read(id));
      },
    },
  ),
  route(
    'POST /v1/sandboxes/{id}/recording',
    'switchSandboxRecording',
    'Start or stop the recording of a sandbox’s screen',
    {
      description:
        'Needs ffmpeg on the sandbox’s machine. Starting twice and stopping twice do nothing more.',
      body: json(z.strictObject({ action: z.enum(['start', 'stop']) }), { action: 'start' }),
      answer: sandboxRecording,
      errors: [500],
      handle: async ({ sandboxes, screenRecording }, call) => {
        const { id } = await sandboxes.get(call.params.id);
        return view(id, await screenRecording.switch(id, call.body.action));
      },
    },
  ),
  route(
    'GET /v1/sandboxes/{id}/recording/segments/{n}',
    'downloadSandboxRecording',
    'Download a segment of a recording',
    {
      description: 'Of one that still grows, what there is.',
      answer: bytesOf('video/webm'),
      errors: [500],
      handle: async ({ sandboxes, screenRecording }, { params, req, res }) => {
        const { id } = await sandboxes.get(params.id);
        if (!/^[1-9]\d{0,8}$/.test(params.n))
          throw new ApiError('not_found_error', `there is no segment ${params.n}`);
        const { sizeBytes, body } = await screenRecording.segment(id, Number(params.n));
        res.set({
          'content-type': 'video/webm',
          'content-length': String(sizeBytes),
          'content-disposition': `inline; filename="${id}-${params.n}.webm"`,
          'cache-control': 'private, no-cache',
        });
        await sendBytes(req, res, body);
      },
    },
  ),
];

function view(id: string, recording: ScreenRecording): DeepReadonly<z.output<typeof sandboxRecording>> {
  return { type: 'sandbox_recording', sandbox_id: id, ...recording };
}
