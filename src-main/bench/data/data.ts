import type { BenchEvent } from '../row.ts';
import { benchClipIndex } from './index-search.ts';
import { type BenchMediaOptions, benchMedia } from './media.ts';

export interface BenchDataOptions extends BenchMediaOptions {
  /** Of the two. Default: both. */
  only?: 'media' | 'index' | undefined;
  /** Vectors of the index. Default 100,000. */
  vectors?: number | undefined;
}

/** What it takes to make clips of videos, and to find the nearest of many. */
export async function* benchData({ only, vectors, ...media }: BenchDataOptions): AsyncGenerator<BenchEvent> {
  if (only !== 'media') yield* benchClipIndex({ runs: media.runs, rows: vectors });
  if (only !== 'index') yield* benchMedia(media);
}
