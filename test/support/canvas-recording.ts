import type { Browser } from 'playwright-core';

export interface CanvasRecording {
  width: number;
  height: number;
  ms: number;
  sound: boolean;
}

/** What a browser’s recorder makes of a canvas on which something moves, as Quarry’s page records: a chunk a second. */
export async function recordCanvas(browser: Browser, options: CanvasRecording): Promise<Buffer[]> {
  const page = await browser.newPage();
  try {
    const chunks = await page.evaluate<string[]>(`(${RECORD})(${JSON.stringify(options)})`);
    return chunks.map((chunk) => Buffer.from(chunk, 'base64'));
  } finally {
    await page.close();
  }
}

/** How a browser plays a video: how long it is, and how large its picture is at some times. */
export async function playIn(browser: Browser, bytes: Buffer, atSeconds: readonly number[], type = 'video/webm') {
  const page = await browser.newPage();
  try {
    const asked = JSON.stringify({ base64: bytes.toString('base64'), atSeconds, type });
    return await page.evaluate<{ duration: number; widths: number[] }>(`(${PLAY})(${asked})`);
  } finally {
    await page.close();
  }
}

// What follows runs in the page.

const RECORD = `async ({ width, height, ms, sound }) => {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { alpha: false });
  let frame = 0;
  const timer = setInterval(() => {
    frame++;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.fillStyle = '#000';
    context.font = height / 8 + 'px sans-serif';
    context.fillText('frame ' + frame, (frame * 7) % (width / 2), height / 4 + ((frame * 3) % (height / 2)));
  }, 66);
  const stream = canvas.captureStream(15);
  if (sound) {
    const audio = new AudioContext();
    const [tone, into] = [audio.createOscillator(), audio.createMediaStreamDestination()];
    tone.connect(into);
    tone.start();
    stream.addTrack(into.stream.getAudioTracks()[0]);
  }
  const mimeType = sound ? 'video/webm;codecs=vp9,opus' : 'video/webm;codecs=vp9';
  const recorder = new MediaRecorder(stream, { mimeType, videoKeyFrameIntervalDuration: 2000 });
  const blobs = [];
  recorder.ondataavailable = ({ data }) => blobs.push(data);
  const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start(1000);
  await new Promise((resolve) => setTimeout(resolve, ms));
  recorder.stop();
  await stopped;
  clearInterval(timer);
  return await Promise.all(blobs.map(async (blob) => new Uint8Array(await blob.arrayBuffer()).toBase64()));
}`;

const PLAY = `async ({ base64, atSeconds, type }) => {
  const video = document.createElement('video');
  video.muted = true;
  video.src = URL.createObjectURL(new Blob([Uint8Array.fromBase64(base64)], { type }));
  const told = (event) => new Promise((resolve, reject) => {
    video.addEventListener(event, resolve, { once: true });
    video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true });
  });
  await told('loadeddata');
  const widths = [];
  for (const at of atSeconds) {
    video.currentTime = at;
    await told('seeked');
    widths.push(video.videoWidth);
  }
  return { duration: video.duration, widths };
}`;
