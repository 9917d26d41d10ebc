import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingSegment } from '@steadyhand/contracts';
import { sandboxService, screenRecordingService } from '../../../app/sandbox-service.ts';
import { readRecording, readSegment, switchRecording } from '../../../sandbox/client/recording.ts';
import { startServer, stopServers } from '../../server/harness.ts';
import { processesNaming, TestSandboxes, until } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const missing = ['Xvfb', 'openbox', 'xterm', 'ffmpeg', 'ffprobe'].filter(
  (name) => !existsSync(`/usr/bin/${name}`),
);
const describeWithFfmpeg = missing.length === 0 ? describe : describe.skip;

/** The colour of the window that comes. */
const GREEN = [0, 200, 0] as const;

describeWithFfmpeg(
  `a recording of a sandbox’s screen (needs ${missing.join(', ') || 'nothing more'})`,
  () => {
    let id = '';

    const all = openedForAll(() => TestSandboxes.open());
    const sandboxes = madeForAll(() => all.client());
    beforeAll(async () => {
      ({ id } = await sandboxes.create({ display: { width: 640, height: 480 } }));
    });

    const segments = async (): Promise<readonly RecordingSegment[]> =>
      (await readRecording(sandboxes, id)).segments;
    const newest = async (): Promise<RecordingSegment | undefined> => (await segments()).at(-1);
    const download = async (number: number): Promise<string> => {
      const { sizeBytes, body } = await readSegment(sandboxes, id, number);
      const bytes = Buffer.concat(await body.toArray());
      expect(bytes.length).toBe(sizeBytes);
      const file = join(all.dir, `${number}.webm`);
      await writeFile(file, bytes);
      return file;
    };
    const ffmpegs = (): number[] => processesNaming(join(all.folderOf(id), 'recordings'));

    test('shows what happened, in real time, and costs nothing before', async () => {
      expect(await readRecording(sandboxes, id)).toMatchObject({
        status: 'stopped',
        error: null,
        segments: [],
      });
      expect(existsSync(join(all.folderOf(id), 'recordings'))).toBe(false);
      const began = performance.now();
      await switchRecording(sandboxes, id, 'start');
      expect((await switchRecording(sandboxes, id, 'start')).status).toBe('recording');
      await until(async () => ((await newest())?.size_bytes ?? 0) > 0);
      const ran = performance.now();
      await all.bash(sandboxes, id, 'xterm -geometry 200x100+0+0 -bg "rgb:00/c8/00" >/dev/null 2>&1 &');
      // The window's coming, and then the repeated picture, which ends the cluster before.
      const grown = async (by: number): Promise<void> => {
        const size = (await newest())?.size_bytes ?? 0;
        await until(async () => ((await newest())?.size_bytes ?? 0) >= size + by);
      };
      await all.text(sandboxes, id, 'xdotool search --sync --onlyvisible --class xterm');
      await grown(1);
      await grown(1);
      const least = (performance.now() - ran) / 1000;
      const stopped = await switchRecording(sandboxes, id, 'stop');
      const took = (performance.now() - began) / 1000;
      expect(stopped).toMatchObject({ status: 'stopped', segments: [{ number: 1, active: false }] });
      expect(ffmpegs()).toEqual([]);

      const file = await download(1);
      const { stream, duration, frames } = probe(file);
      expect(stream).toMatchObject({ codec_name: 'vp8', width: 640, height: 480 });
      // From its first bytes at the latest to the call that stopped it: a loaded machine is slow before and after.
      expect(duration).toBeGreaterThan(least - 0.5);
      expect(duration).toBeLessThan(took + 0.5);
      expect(frames).toBeLessThanOrEqual(Math.ceil(took * 5) + 2);
      expect(near(pixelOf(file, 'first'), GREEN)).toBe(false);
      expect(near(pixelOf(file, 'last'), GREEN)).toBe(true);
      await expect(readSegment(sandboxes, id, 2)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('is answered over HTTP', async () => {
      const server = await startServer({
        sandboxes: sandboxService(sandboxes),
        screenRecording: screenRecordingService(sandboxes),
      });
      try {
        const address = `${server.url}/v1/sandboxes/${id}/recording`;
        expect(await (await fetch(address)).json()).toMatchObject({
          type: 'sandbox_recording',
          sandbox_id: id,
          status: 'stopped',
          segments: [{ number: 1, active: false }],
        });
        const answer = await fetch(`${address}/segments/1`);
        expect(answer.headers.get('content-type')).toBe('video/webm');
        expect((await answer.arrayBuffer()).byteLength).toBe((await newest())?.size_bytes);
        expect((await fetch(`${address}/segments/2`)).status).toBe(404);
        expect((await fetch(`${address}/segments/x`)).status).toBe(404);
        const headers = { 'content-type': 'application/json' };
        const wrong = await fetch(address, { method: 'POST', headers, body: '{"action": "pause"}' });
        expect(wrong.status).toBe(400);
        const stop = await fetch(address, { method: 'POST', headers, body: '{"action": "stop"}' });
        expect(await stop.json()).toMatchObject({ status: 'stopped' });
      } finally {
        await stopServers();
      }
    });

    test('is out of the agent’s reach', async () => {
      const look = `find / -name "*.webm" 2>/dev/null; ls -l /proc/*/exe 2>/dev/null | grep -c ffmpeg; true`;
      const found = await all.text(sandboxes, id, look);
      const recordings = join(all.folderOf(id), 'recordings');
      expect(statSync(recordings).mode & 0o077).toBe(0);
      expect(readdirSync(recordings)).toHaveLength(1);
      expect(found.trim()).toBe('0');
    });

    test('killed with its daemon it can be played, and goes on with the next', async () => {
      await switchRecording(sandboxes, id, 'start');
      const written = async (number: number): Promise<boolean> => {
        const last = await newest();
        return last?.number === number && last.size_bytes > 2_000;
      };
      await until(() => written(2));
      const pids = ffmpegs();
      expect(pids).toHaveLength(1);
      // As when the machine goes down: ffmpeg cannot finish the file.
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      all.killDaemon(id);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await sandboxes.ensure(id);
      await until(() => written(3));
      const growing = await download(3);
      expect((await switchRecording(sandboxes, id, 'stop')).segments.map(({ active }) => active)).toEqual([
        false,
        false,
        false,
      ]);
      for (const file of [await download(2), growing, await download(3)])
        expect(probe(file)).toMatchObject({ stream: { codec_name: 'vp8' } });
    });
  },
);

function probe(file: string): { stream: Record<string, unknown>; duration: number; frames: number } {
  const args = [
    '-v',
    'error',
    '-count_frames',
    '-show_streams',
    '-show_format',
    '-show_packets',
    '-of',
    'json',
  ];
  const told = JSON.parse(execFileSync('ffprobe', [...args, file], { encoding: 'utf8' })) as {
    readonly packets: readonly { readonly pts_time: string }[];
    readonly streams: readonly Record<string, unknown>[];
  };
  const [stream = {}] = told.streams;
  const frames = Number(stream['nb_read_frames']);
  expect(frames).toBeGreaterThan(0);
  return { stream, duration: Number(told.packets.at(-1)?.pts_time), frames };
}

/** The red, green and blue of a place without the pointer. */
function pixelOf(file: string, which: 'first' | 'last'): readonly number[] {
  const crop = ['-vf', 'crop=2:2:100:300', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', file, ...crop]);
  return [...(which === 'first' ? bytes.subarray(0, 3) : bytes.subarray(-12, -9))];
}

function near(pixel: readonly number[], wanted: readonly number[]): boolean {
  return wanted.every((value, at) => Math.abs(value - (pixel[at] ?? -1000)) < 40);
}
