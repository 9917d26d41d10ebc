import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { ApiError } from '@steadyhand/contracts';
import { type Film, filmOfPictures, filmOfSegments } from '@steadyhand/sandbox/film';
import { Query, type Sessions } from '@steadyhand/sessions';
import type { Blobs } from '@steadyhand/store';
import { goneSignal } from '../http/gone-signal.ts';
import { sendStream } from '../http/send.ts';
import { bytesOf } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';
import type { ScreenRecordingService } from './services.ts';

/** With `pauses=cut`, how long a picture is shown at most, in ms. */
const LONGEST_PAUSE_MS = 3000;
/** More screenshots than these are thinned out evenly. */
const MOST_PICTURES = 3000;

export interface FilmRouteDeps {
  readonly sessions: Pick<Sessions, 'retrieve' | 'screenshots'>;
  readonly blobs: Pick<Blobs, 'get'>;
  readonly screenRecording: Pick<ScreenRecordingService, 'read' | 'segment'>;
}

const query = {
  pauses: z
    .enum(['kept', 'cut'])
    .default('kept')
    .describe(
      '`cut` shows no picture for more than three seconds; of a recording it leaves out when it was off',
    ),
};

const route = routesOf<FilmRouteDeps>()('Sessions', { id: 'A session’s id, `sesn_…`' });

/** The film of a session's screen. */
export const filmRoutes = [
  route('GET /v1/sessions/{id}/film', 'downloadSessionFilm', 'Download a session as a film', {
    description:
      'The recording of its screen as one file, where its sandbox has one; otherwise the screenshots of its log at their times. WebM (VP8) with an index, without sound.',
    query,
    answer: bytesOf('video/webm'),
    errors: [404],
    handle: async (deps, { params, search, res }) => {
      const cut = new Query(search, query).choice('pauses') === 'cut';
      const signal = goneSignal(res);
      const options = { signal, longestPauseMs: cut ? LONGEST_PAUSE_MS : undefined };
      const { sandbox_id: sandbox } = await deps.sessions.retrieve(params.id);
      const film =
        (sandbox === null ? undefined : await recorded(deps, sandbox, options)) ??
        (await pictured(deps, params.id, options));
      if (film === undefined)
        throw new ApiError('not_found_error', `Session ${params.id} has no picture of its screen`);
      try {
        res.set({
          'content-type': 'video/webm',
          'content-disposition': `attachment; filename="${params.id}.webm"`,
          'cache-control': 'private, no-cache',
        });
        await sendStream(res, film.body());
      } finally {
        await film.close();
      }
    },
  }),
];

type Options = Parameters<typeof filmOfPictures>[1];

/** The film of the recording; undefined where nothing was recorded, or where the sandbox is gone. */
async function recorded(
  { screenRecording }: FilmRouteDeps,
  sandbox: string,
  options: Options,
): Promise<Film | undefined> {
  const { segments } = await screenRecording.read(sandbox).catch(() => ({ segments: [] }));
  return await filmOfSegments(
    segments.map(({ number, started_at }) => ({
      at: Date.parse(started_at),
      read: async () => await buffer((await screenRecording.segment(sandbox, number)).body),
    })),
    options,
  );
}

async function pictured(
  { sessions, blobs }: FilmRouteDeps,
  id: string,
  options: Options,
): Promise<Film | undefined> {
  const shots = await sessions.screenshots(id);
  // The same picture again is shown on, up to the time of the last one.
  const changed = shots.filter(
    ({ sha256 }, index) => sha256 !== shots[index - 1]?.sha256 || index === shots.length - 1,
  );
  const step = Math.max(1, Math.ceil(changed.length / MOST_PICTURES));
  return await filmOfPictures(
    changed
      .filter((_, index) => index % step === 0 || index === changed.length - 1)
      .map(({ sha256, at }) => ({ at, read: () => blobs.get(sha256) })),
    options,
  );
}
