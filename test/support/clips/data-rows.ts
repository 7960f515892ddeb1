import { createHash } from 'node:crypto';
import { seededRandom } from '../../../src-main/base/seeded-random.ts';
import type { DataRows, RowsByKind, SoundRow, VideoRow } from '../../../src-main/clips/dataset/shards/data-rows.ts';
import type { ClipShardStore } from '../../../src-main/store/clips/clip-shards.ts';
import type { SubmissionKind } from '../../../src-preload/contract/data-names.ts';

const SPACE = 'siglip2-base@1a2b3c4d5e6f+clap-htsat@0f1e2d3c4b5a';
export const madeClip = (number: number) => createHash('md5').update(`${number}`).digest('hex');

function vector(number: number, dimensions: number): Float32Array {
  const { normal } = seededRandom(number + 1);
  return Float32Array.from({ length: dimensions }, normal);
}

function shared(number: number) {
  return {
    ...{ clip: madeClip(number), source: 'commons' as const, id: `File:Video ${number >> 2}.webm` },
    ...{
      title: `Ein «Film», Nr. ${number}`,
      from: number % 7,
      to: (number % 7) + 12.5,
      words: number % 3 ? 'hello' : null,
    },
    ...{ sha256: createHash('sha256').update(`${number}`).digest('hex'), space: SPACE, query: 'whales' },
    ...{ queryRelevance: number % 5 ? 0.25 : null, submittedAt: 1_790_000_000_000 + number * 1_000 },
    ...{
      licence: number % 2 ? ('by' as const) : ('bySa' as const),
      licenceUrl: 'https://creativecommons.org/licenses/by/4.0',
    },
    ...{
      author: number % 4 ? `Author ${number % 4}` : null,
      attribution: `Film ${number}, CC BY`,
      page: 'https://example.org/1',
    },
  };
}

/** Made up, the same for the same number. */
export function madeVideo(number: number, dimensions = 8): VideoRow {
  return {
    ...shared(number),
    ...{ description: `A whale, ${number} 🐋`, describedBy: number % 2 ? 'model' : 'title', width: 640, height: 360 },
    videoVector: vector(number, dimensions),
    audioVector: number % 3 ? vector(number + 1_000, dimensions) : null,
    descriptionVector: vector(number + 2_000, dimensions),
    descriptionRelevance: 0.5,
  };
}

export function madeSound(number: number, dimensions = 8): SoundRow {
  return {
    ...shared(number),
    audioVector: vector(number, dimensions),
    wav: number % 4 ? new Uint8Array(1_000).fill(number) : null,
    ...{ turnsFrom: number % 2 ? [0, 2.5] : [], turnsTo: number % 2 ? [2, 4.25] : [] },
    ...{
      speakers: number % 2 ? ['A', 'B'] : [],
      inverseDer: 0.9,
      lengthScore: 0.15,
      qualityScore: null,
      totalScore: 0.7,
    },
  };
}

/** Rows out of a list, less those that are in a file. */
export function listedRows(rows: { videos?: VideoRow[]; sounds?: SoundRow[] }, store: ClipShardStore): DataRows {
  const { videos = [], sounds = [] } = rows;
  const waiting = async <Kind extends SubmissionKind>(kind: Kind): Promise<RowsByKind[Kind][]> => {
    const all = (kind === 'videos' ? videos : sounds) as RowsByKind[Kind][];
    const known = new Set<string>();
    for (let at = 0; at < all.length; at += 500) {
      for (const clip of await store.inFiles(
        kind,
        all.slice(at, at + 500).map((row) => row.clip),
      ))
        known.add(clip);
    }
    return all.filter(({ clip }) => !known.has(clip));
  };
  return {
    rows: async function* (kind) {
      yield* await waiting(kind);
    },
    waiting: async (kind) => (await waiting(kind)).length,
  };
}
