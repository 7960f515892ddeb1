import { MAX_STILLS_BYTES } from '../../../src-preload/contract/focus-limits.ts';
import { noPictures, stillsTooLarge } from '../focus-problems.ts';
import { asJpeg, fitted, type Rgba, scaled } from './codec/scaled-picture.ts';
import { lightBlocks, shareChanged } from './light-blocks.ts';
import type { TypicalJob } from './media-tasks.ts';
import { coloursOf, shownAt } from './shown-pictures.ts';
import type { Still } from './stills.ts';
import { msOf, VideoReader } from './video-reader.ts';

/** What is looked at for each moment, milliseconds from it: what is shown for less than about half of that second is outvoted. */
const AROUND_MS = [-400, -200, 0, 200, 400];
const MIDDLE = 2;
/** Pictures are alike of which no larger share differs. */
const ALIKE = 0.1;

interface Sample {
  picture: Rgba;
  blocks: Float32Array;
}

/**
 * What a video shows around some moments, for who judges a stranger’s: of five pictures of the same second the one that is most like the others, so that
 * nothing that flashes up stands for what is to be seen.
 *
 * @param moments milliseconds from its first picture, ascending
 * @param onDone told how far it is, from 0 to 1
 * @throws BAD_REQUEST for what cannot be decoded, and where they are too many bytes together
 */
export async function* typicalStills(
  from: string,
  { moments, side }: TypicalJob,
  onDone: (done: number) => void,
): AsyncGenerator<Still> {
  await using video = await VideoReader.open(from);
  const [colours, first] = [await coloursOf(video), await video.keyFrameFrom(0)];
  if (!first) throw noPictures();
  const instants = moments
    .flatMap((atMs, moment) => AROUND_MS.map((around) => ({ moment, ms: msOf(first) + Math.max(0, atMs + around) })))
    .sort((a, b) => a.ms - b.ms);
  const samples = moments.map((): Sample[] => []);
  let [taken, bytes] = [0, 0];
  const times = instants.map(({ ms }) => ms);
  for await (const { picture } of shownAt(video, times)) {
    const { moment = 0 } = instants[taken++] ?? {};
    const around = samples[moment] as Sample[];
    around.push({ picture: scaled(picture, fitted(picture, side, side), colours), blocks: lightBlocks(picture) });
    onDone(taken / instants.length);
    if (around.length < AROUND_MS.length) continue;
    const jpeg = asJpeg(typical(around).picture);
    samples[moment] = [];
    bytes += jpeg.length;
    if (bytes > MAX_STILLS_BYTES) throw stillsTooLarge();
    yield { atMs: moments[moment] ?? 0, jpeg };
  }
}

/** The one that most are like; of several the one nearest to the middle. */
function typical(samples: readonly Sample[]): Sample {
  const ranked = samples.map((sample, index) => ({
    sample,
    like: samples.filter(({ blocks }) => shareChanged(blocks, sample.blocks) <= ALIKE).length,
    away: Math.abs(index - MIDDLE),
  }));
  const [best] = ranked.sort((a, b) => b.like - a.like || a.away - b.away);
  return (best as (typeof ranked)[number]).sample;
}
