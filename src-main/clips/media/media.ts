import type { MOST_FETCHED_SECONDS } from '../../../src-preload/contract/data-limits.ts';

/** A decoded picture: three bytes a pixel (red, green, blue), row by row. */
export interface RawPicture {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Sound of one channel, −1 to 1. */
export interface RawSound {
  samples: Float32Array;
  /** Samples a second. */
  rate: number;
}

/** What a file is, as far as it could be read. */
export interface MediaFacts {
  /** Of its picture, as its packets say, not its header; a second above {@link MOST_FETCHED_SECONDS} where there is more, which nobody looks at. */
  seconds: number;
  /** Where a copy can begin: seconds, in order. */
  keyFrames: readonly number[];
  width: number;
  height: number;
  videoCodec: string;
  /** Null without sound, or with one that nobody here can hear. */
  audioCodec: string | null;
  bytes: number;
}

/** A stretch of a video, seconds. */
export interface Span {
  from: number;
  to: number;
}

interface Bounded {
  signal: AbortSignal;
}

/**
 * Reads and cuts videos of strangers: in another process, with an end to time, memory and output.
 * Everything throws {@link UnusableMedia} where the file is to blame, and else what keeps this computer from reading it.
 */
export interface MediaTool {
  probe(path: string, options: Bounded): Promise<MediaFacts>;
  /** Where something else begins to be seen, seconds, in order; without 0. */
  scenes(path: string, span: Span, options: Bounded): Promise<number[]>;
  /**
   * Pictures spread evenly over a stretch, the same for everybody who asks for as many with the same program; none is larger than `side` on its longer
   * side. Fewer where the picture ends before the stretch does, but one at least.
   */
  pictures(path: string, span: Span, want: Bounded & { count: number; side: number }): Promise<RawPicture[]>;
  /** From the stretch's beginning: what begins later has silence before it. @returns null where there is none */
  sound(path: string, span: Span, want: Bounded & { rate: number }): Promise<RawSound | null>;
  /**
   * A stretch as a file of its own, copied, not encoded anew: it begins at the last key frame before the stretch does, so exactly there if that is one.
   * WebM where the codecs allow it, else MP4, else Matroska. @param to is replaced as a whole, or not at all @returns what it has become
   */
  cut(path: string, span: Span, to: string, options: Bounded): Promise<MediaFacts>;
  /** One picture as JPEG. */
  jpeg(path: string, atSeconds: number, want: Bounded & { side: number }): Promise<Uint8Array>;
}

/** Why nothing can be made of a file. */
export const MEDIA_FAULTS = ['noVideo', 'damaged', 'tooLong', 'tooLarge', 'tooSlow', 'codec'] as const;
export type MediaFault = (typeof MEDIA_FAULTS)[number];

/** A file of which no clip can be made. */
export class UnusableMedia extends Error {
  readonly fault: MediaFault;

  constructor(fault: MediaFault, options?: ErrorOptions) {
    super(`unusable media: ${fault}`, options);
    this.fault = fault;
  }
}
