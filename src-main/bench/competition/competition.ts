import type { BenchEvent } from '../row.ts';
import { benchDoor } from './door.ts';
import { benchJudging } from './judging.ts';

export interface CompetitionBenchOptions {
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Requests of a run. Default 2,000. */
  requests?: number;
  /** Default: both. */
  only?: 'judging' | 'door' | undefined;
  signal?: AbortSignal;
}

/** What serving a competition takes: its judge of kernels, and the door that submissions come through. */
export async function* benchCompetition(options: CompetitionBenchOptions = {}): AsyncGenerator<BenchEvent> {
  const { runs = 5, requests = 2_000, only, signal } = options;
  if (only !== 'door') yield* benchJudging({ runs, ...(signal && { signal }) });
  if (only !== 'judging') yield* benchDoor({ runs, requests });
}
