import type { Logger } from 'pino';
import type { WantedModel } from '../wanted-model.ts';
import type { Bandwidth } from './bandwidth.ts';
import type { DiskRoom } from './disk-room.ts';
import type { DownloadProblem } from './download-problems.ts';

/** Gives a complete file its name in the library; the file at `path` is gone afterwards. */
export type Adopt = (path: string, wanted: WantedModel, origin: { sha256: string; source: string }) => Promise<unknown>;

export interface FetchSettings {
  adopt: Adopt;
  bandwidth: Bandwidth;
  room: DiskRoom;
  log: Logger;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  now?: () => number;
  /** From 0 up to 1. Default Math.random. */
  random?: () => number;
  /** Failures of a source in a row, with no bytes from anywhere in between, until it is given up. Default 20: a quarter of an hour. Those that are not even reached are never given up. */
  attempts?: number;
  /** Milliseconds that a source rests after it failed twice; doubles with each further failure. Default 1,000. */
  restMs?: number;
  /** Bytes asked for at once. Short enough that all lines end together. Default 64 MiB. */
  segmentBytes?: number;
  /** A longer file is refused. Default 200 GB. */
  maxBytes?: number;
}

/** What becomes known on the way. */
export interface FetchEvents {
  onBytes: (count: number) => void;
  /** The source that is asked now; undefined when none is. */
  onSource: (name: string | undefined) => void;
  /** What went wrong and is tried again; null when it works again. */
  onProblem: (problem: DownloadProblem | null) => void;
  /** No server is reached, and it is tried again. @param waitMs milliseconds until then; null while it is tried */
  onOffline: (waitMs: number | null) => void;
  /** All bytes are here, and are looked at now. */
  onVerifying: () => void;
}
