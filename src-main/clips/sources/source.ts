import type { FoundVideo, VideoRef } from '../../../src-preload/contract/data.ts';
import type { SourceKind } from '../../../src-preload/contract/data-names.ts';

/** One page of what a source has of a topic. */
export interface FoundPage {
  found: FoundVideo[];
  /** Where the next one begins; null after the last. */
  next: string | null;
}

export interface SearchOptions {
  /** A page’s `next`. Default: from the beginning on. */
  from?: string | undefined;
  signal: AbortSignal;
}

export interface FetchOptions {
  /** Of the video, from its beginning, so much is wanted: the least that is needed is fetched, in the least quality that will do. */
  mostSeconds: number;
  mostBytes: number;
  signal: AbortSignal;
  /** Told now and then. @param of null where the source does not say */
  onProgress?: (bytes: number, of: number | null) => void;
}

/** What was fetched of a video. */
export interface Fetched {
  bytes: number;
  /** Where its bytes came from, without what is secret in it; null for own files. */
  url: string | null;
  /** When its file was changed last, Unix milliseconds, as the source says; absent where it does not. */
  changedAt?: number | undefined;
}

/** Where videos come from. */
export interface Source {
  readonly kind: SourceKind;
  /** Asks for videos of a topic, in words. @throws QuarryError what keeps it from being asked, `retryable` where that may pass */
  search(topic: string, options: SearchOptions): Promise<FoundPage>;
  /** What it says of one video now. @returns null where it has none of that id any more @throws as `search` */
  look(id: VideoRef['id'], signal: AbortSignal): Promise<FoundVideo | null>;
  /**
   * Fetches a video into a file. One that is there is gone on with, where the source lets that be done and it is still the same video. Until it is whole, what is needed for that may
   * lie beside it, under its name with a dot and more (`7.video.note`): whoever deletes that has it fetched anew, and `removeFetched` takes it away with the file.
   * @throws QuarryError as `search`; not `retryable` where it is gone, or is more than `mostBytes`
   */
  fetch(id: VideoRef['id'], to: string, options: FetchOptions): Promise<Fetched>;
}
