import { open } from 'node:fs/promises';
import { thinned } from '../../base/thinned.ts';
import { writeFully } from '../../base/write-fully.ts';
import { asJpeg, fitted, type Rgba, scaled } from './codec/scaled-picture.ts';
import { lightBlocks, shareChanged } from './light-blocks.ts';
import type { MadeStrip, SceneChange } from './media-tasks.ts';
import { coloursOf, picturesAt, spread } from './shown-pictures.ts';
import { VideoReader } from './video-reader.ts';

/** Pictures that are looked at: a key frame every two seconds is all there is, and of an hour every tenth second will do. */
const MOST_SAMPLES = 360;
const KEY_EVERY_MS = 2_000;
/** What is shown of them. */
const MOST_THUMBNAILS = 60;
const THUMBNAIL_SIDE = 160;
const COLUMNS = 10;

interface Sample {
  atMs: number;
  thumbnail: Rgba;
  blocks: Float32Array;
}

/**
 * Small pictures of a video beside and below each other, as one JPEG, and how much changed from each picture that was looked at to the next.
 * @param to a file that is not there
 * @param onDone told how far it is, from 0 to 1
 * @throws BAD_REQUEST for what cannot be decoded
 */
export async function strip(from: string, to: string, onDone: (done: number) => void): Promise<MadeStrip> {
  const samples = await samplesOf(from, onDone);
  const shown = thinned(samples, MOST_THUMBNAILS);
  const cell = shown[0]?.thumbnail ?? { width: 1, height: 1 };
  await writeNew(to, asJpeg(tiled(shown, cell)));
  const { width, height } = cell;
  return { columns: COLUMNS, width, height, times: shown.map(({ atMs }) => atMs), changes: changesIn(samples) };
}

async function samplesOf(from: string, onDone: (done: number) => void): Promise<Sample[]> {
  await using video = await VideoReader.open(from);
  const [colours, durationMs] = [await coloursOf(video), (await video.durationMs()) ?? 0];
  const times = spread(Math.min(MOST_SAMPLES, Math.ceil(durationMs / KEY_EVERY_MS)), durationMs);
  const samples: Sample[] = [];
  for await (const { atMs, picture } of picturesAt(video, times, false)) {
    if (samples.at(-1)?.atMs === atMs) continue;
    const cell = samples[0]?.thumbnail ?? { width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE };
    const thumbnail = scaled(picture, fitted(picture, cell.width, cell.height), colours);
    samples.push({ atMs, thumbnail, blocks: lightBlocks(picture) });
    onDone(Math.min(1, atMs / durationMs));
  }
  return samples;
}

/** A picture of another shape stands in the middle of its cell. */
function tiled(samples: readonly Sample[], cell: { width: number; height: number }): Rgba {
  const width = COLUMNS * cell.width;
  const height = Math.ceil(samples.length / COLUMNS) * cell.height;
  const data = new Uint8ClampedArray(4 * width * height);
  for (const [index, { thumbnail }] of samples.entries()) {
    const left = (index % COLUMNS) * cell.width + Math.floor((cell.width - thumbnail.width) / 2);
    const top = Math.floor(index / COLUMNS) * cell.height + Math.floor((cell.height - thumbnail.height) / 2);
    for (let row = 0; row < thumbnail.height; row++) {
      const pixels = thumbnail.data.subarray(4 * row * thumbnail.width, 4 * (row + 1) * thumbnail.width);
      data.set(pixels, 4 * ((top + row) * width + left));
    }
  }
  return { width, height, data };
}

function changesIn(samples: readonly Sample[]): SceneChange[] {
  return samples.slice(1).map(({ atMs, blocks }, index) => {
    const before = samples[index] as Sample;
    return { fromMs: before.atMs, atMs, share: shareChanged(before.blocks, blocks) };
  });
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await writeFully(file, bytes, 0);
  await file.sync();
}
