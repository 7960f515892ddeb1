import type { BenchEvent } from '../row.ts';
import { benchServing } from './serving.ts';
import { benchTraining } from './training.ts';

export interface BenchLearnOptions {
  /** A GGUF file. Default: made ones. */
  model?: string;
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Answering with what was learnt, or learning. Default both. */
  only?: 'serving' | 'training';
}

/** What learning costs, while it is done and afterwards. */
export async function* benchLearn({ only, ...options }: BenchLearnOptions): AsyncGenerator<BenchEvent> {
  if (only !== 'training') yield* benchServing(options);
  if (only !== 'serving') yield* benchTraining(options);
}
