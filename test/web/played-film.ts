import type { Page } from 'playwright-core';

export interface PlayedFilm {
  readonly width: number;
  readonly height: number;
  /** In seconds. */
  readonly duration: number;
  /** Where the film stood after half a second before its end was sought. */
  readonly sought: number;
  /** The share of pixels that differ between the beginning and there. */
  readonly differing: number;
}

/** Loads a film into a `<video>` of a real browser, in a window without the product's policies, and seeks in it. */
export async function played(page: Page, film: Buffer): Promise<PlayedFilm> {
  const blank = await page.context().newPage();
  try {
    return await blank.evaluate(async (base64): Promise<PlayedFilm> => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const video = document.createElement('video');
      const happens = (name: string): Promise<unknown> =>
        new Promise((resolve, reject) => {
          video.addEventListener(name, resolve, { once: true });
          video.addEventListener('error', () => reject(new Error(video.error?.message ?? 'no film')), {
            once: true,
          });
        });
      const loaded = happens('loadeddata');
      video.muted = true;
      video.preload = 'auto';
      video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
      await loaded;
      const { videoWidth: width, videoHeight: height, duration } = video;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (context === null) throw new Error('no canvas');
      const pixels = (): Uint8ClampedArray => {
        context.drawImage(video, 0, 0);
        return context.getImageData(0, 0, width, height).data;
      };
      const before = pixels();
      // The event that tells of the end of a seek may come before the picture there is shown.
      const shown = new Promise<void>((resolve) => {
        const look: VideoFrameRequestCallback = (_now, { mediaTime }) => {
          if (mediaTime > 0) resolve();
          else video.requestVideoFrameCallback(look);
        };
        video.requestVideoFrameCallback(look);
      });
      const sought = happens('seeked');
      video.currentTime = duration - 0.5;
      await Promise.all([sought, shown]);
      const after = pixels();
      let differing = 0;
      for (let at = 0; at < after.length; at += 4)
        if (Math.abs((after[at] ?? 0) - (before[at] ?? 0)) > 24) differing += 1;
      return { width, height, duration, sought: video.currentTime, differing: differing / (width * height) };
    }, film.toString('base64'));
  } finally {
    await blank.close();
  }
}

/** A short film in WebM (VP8) as the browser's own recorder writes it: with clusters of unknown sizes, and without an index. */
export async function recordedByBrowser(page: Page): Promise<Buffer> {
  const blank = await page.context().newPage();
  try {
    const base64 = await blank.evaluate(async () => {
      const canvas = document.createElement('canvas');
      canvas.width = 320;
      canvas.height = 240;
      document.body.append(canvas);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm;codecs=vp8' });
      const parts: Blob[] = [];
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
      recorder.start();
      for (let frame = 0; frame < 60; frame += 1) {
        context.fillStyle = `hsl(${frame * 6} 80% 50%)`;
        context.fillRect(0, 0, 320, 240);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      recorder.stop();
      await stopped;
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    });
    return Buffer.from(base64, 'base64');
  } finally {
    await blank.close();
  }
}
