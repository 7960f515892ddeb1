import type { BenchEvent } from '../row.ts';
import { benchDownloadHttp } from './download-http.ts';
import { benchModelSharing } from './model-sharing.ts';

export interface BenchDownloadOptions {
  /** Runs of each side. Default 5. */
  runs?: number;
  /** One of the two ways. Default both. */
  only?: 'http' | 'peers';
}

/** A model file over both ways that it can come. */
export async function* benchDownload({ runs, only }: BenchDownloadOptions): AsyncGenerator<BenchEvent> {
  if (only !== 'peers') yield* benchDownloadHttp({ runs });
  if (only !== 'http') yield* benchModelSharing({ runs });
}
