import { seededRandom } from '../../../src-main/base/seeded-random.ts';
import type { MediaFacts, RawPicture, RawSound } from '../../../src-main/clips/media/media.ts';
import { ofLengthOne } from '../../../src-main/clips/models/vectors/mean-vector.ts';
import type { StoredClip } from '../../../src-main/store/clips/clips.ts';

const SIZE = 32;

/** How a library is to look to its models. */
export interface MeasuredLibrary {
  videos: number;
  /** How many of them have sound. Default: all. */
  heard?: number;
  /** How far a copy is from its clip. Default .1. */
  copyNoise?: number;
  /** How much of a clip is in its words, 0 to 1. Default .4. */
  words?: number;
}

/**
 * Clips, one of each video, of which the number can be told by what media read out of them: a picture is twice as wide as that, a sound as many samples long.
 * So the models, which are scripted, know which clip they are asked about.
 */
export function measuredLibrary({ videos, heard = videos, copyNoise = 0.1, words = 0.4 }: MeasuredLibrary) {
  const random = seededRandom(3);
  const vector = () => ofLengthOne(Float32Array.from({ length: SIZE }, () => random.normal()));
  const near = (to: Float32Array, share: number, noise: number) => {
    const other = vector();
    return ofLengthOne(to.map((value, at) => share * value + noise * (other[at] as number)));
  };
  const rows = Array.from({ length: videos }, (_, at) => rowOf(at + 1));
  const known = rows.map(({ number }) => ({ number, seen: vector(), heard: number <= heard ? vector() : null }));
  const of = (number: number) => known[number - 1] as (typeof known)[number];
  const numberIn = (text: string) => Number(/\d+/.exec(text)?.[0]);
  const said: string[] = [];
  return {
    rows,
    /** What the models were asked as text. */
    said,
    store: {
      videosOf: async (before: number | undefined, limit: number) =>
        rows
          .toReversed()
          .filter(({ number }) => number < (before ?? Number.POSITIVE_INFINITY))
          .slice(0, limit),
      get: async (clip: string) => rows[numberIn(clip) - 1],
      vectors: async (clip: string) => {
        const { seen, heard: sound } = of(numberIn(clip));
        return { seen, ...(sound && { heard: sound }) };
      },
    },
    folder: { video: ({ clip }: { clip: string }) => clip, has: async () => true },
    media: {
      probe: async () => ({ seconds: 10 }) as MediaFacts,
      pictures: async (path: string): Promise<RawPicture[]> => {
        const width = 2 * numberIn(path);
        return [{ width, height: 2, rgb: new Uint8Array(width * 2 * 3) }];
      },
      sound: async (path: string): Promise<RawSound | null> =>
        of(numberIn(path)).heard && { samples: new Float32Array(numberIn(path)), rate: 48_000 },
    },
    models: {
      space: 'scripted@1',
      hears: true,
      pictures: async ([picture]: readonly RawPicture[]) => near(of(picture?.width ?? 0).seen, 1, copyNoise),
      sound: async ({ samples }: RawSound) => near(of(samples.length).heard ?? vector(), 1, copyNoise),
      texts: async (texts: readonly string[]) =>
        texts.map((text) => {
          said.push(text);
          const { seen, heard: sound } = of(numberIn(text));
          const noise = Math.sqrt(1 - words * words);
          return { seen: near(seen, words, noise), heard: near(sound ?? vector(), words, noise) };
        }),
      pieces: async () => ({ pieces: [], uniqueTokens: 0 }),
    },
  };
}

function rowOf(number: number): StoredClip {
  return {
    ...{ number, clip: `clip ${number}`, source: 'commons', video: `video ${number}`, container: 'webm' },
    ...{ space: 'scripted@1', is_taken_down: 0, described_by: 'user' },
    ...{ title: `title of ${number}`, description: `description of ${number}` },
  } as StoredClip;
}
