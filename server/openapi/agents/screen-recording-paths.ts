import { z } from 'zod';
import type { ScreenRecording } from '@steadyhand/contracts';
import { recordingBody } from '../../routes/screen-recording.ts';
import type { Components } from '../components.ts';
import { type Operation, type Paths, pathParameter } from '../document.ts';
import { answers, bytesOf, type Described, describe as describeWith, json } from './operations.ts';
import { time } from './shapes.ts';

export const sandboxRecording = z.object({
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
        size_bytes: z.int().min(0),
        active: z.boolean().describe('It still grows'),
      }),
    )
    .describe('Oldest first'),
}) satisfies z.ZodType<ScreenRecording>;

const SANDBOX = pathParameter('id', 'A sandbox’s id, `sbx_…`');
const NUMBER = pathParameter('n', 'A segment’s number, from 1');

/** The routes of videos of sandboxes' screens. */
export function screenRecordingPaths(components: Components): Paths {
  const describe = (id: string, summary: string, described: Omit<Described, 'tag'>): Operation =>
    describeWith(components, id, summary, { tag: 'Sandboxes', ...described });
  return {
    '/v1/sandboxes/{id}/recording': {
      get: describe('retrieveSandboxRecording', 'Retrieve the recording of a sandbox’s screen', {
        parameters: [SANDBOX],
        answer: answers(sandboxRecording),
        errors: [404, 500],
      }),
      post: describe('switchSandboxRecording', 'Start or stop the recording of a sandbox’s screen', {
        description:
          'Needs ffmpeg on the sandbox’s machine. Starting twice and stopping twice do nothing more.',
        parameters: [SANDBOX],
        body: json(recordingBody, { action: 'start' }),
        answer: answers(sandboxRecording),
        errors: [404, 500],
      }),
    },
    '/v1/sandboxes/{id}/recording/segments/{n}': {
      get: describe('downloadSandboxRecording', 'Download a segment of a recording', {
        description: 'Of one that still grows, what there is.',
        parameters: [SANDBOX, NUMBER],
        answer: bytesOf(['video/webm']),
        errors: [404, 500],
      }),
    },
  };
}
