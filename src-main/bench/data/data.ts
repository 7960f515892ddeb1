import type { BenchEvent } from '../row.ts';
import { type BenchMediaOptions, benchMedia } from './media.ts';

export type BenchDataOptions = BenchMediaOptions;

/** What it takes to make clips of videos. */
export async function* benchData(options: BenchDataOptions): AsyncGenerator<BenchEvent> {
  yield* benchMedia(options);
}
