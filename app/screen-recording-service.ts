import { readRecording, readSegment, type Sandboxes, switchRecording } from '@steadyhand/sandbox/client';
import type { ScreenRecordingService } from '@steadyhand/server';
import { asked } from './sandbox-service.ts';

/** Screen recordings as the server uses them: their errors become the API's. */
export function screenRecordingService(sandboxes: Pick<Sandboxes, 'reach'>): ScreenRecordingService {
  return {
    read: (sandbox) => asked(() => readRecording(sandboxes, sandbox)),
    switch: (sandbox, action) => asked(() => switchRecording(sandboxes, sandbox, action)),
    segment: (sandbox, number) => asked(() => readSegment(sandboxes, sandbox, number)),
  };
}
