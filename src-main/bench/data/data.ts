import type { BenchEvent } from '../row.ts';
import { benchClipIndex } from './index-search.ts';
import { type BenchMediaOptions, benchMedia } from './media.ts';
import { type BenchMiningOptions, benchMining } from './mining.ts';

export interface BenchDataOptions extends BenchMediaOptions, Pick<BenchMiningOptions, 'folder' | 'models'> {
  /** Of the three. Default: all. */
  only?: 'media' | 'mining' | 'index' | undefined;
  /** Vectors of the index. Default 100,000. */
  vectors?: number | undefined;
}

/** What it takes to make clips of videos, and to find the nearest of many. */
export async function* benchData({ only, vectors, ...options }: BenchDataOptions): AsyncGenerator<BenchEvent> {
  const isMeant = (what: BenchDataOptions['only']) => only === undefined || only === what;
  if (isMeant('index')) yield* benchClipIndex({ runs: options.runs, rows: vectors });
  if (isMeant('media')) yield* benchMedia(options);
  if (isMeant('mining')) yield* benchMining(options);
}
