import type { VideoRef } from '../../../src-preload/contract/data.ts';
import type { Describer, SourceKind } from '../../../src-preload/contract/data-names.ts';
import type { Saying } from '../../../src-preload/contract/saying.ts';
import type { MediaTool, Span } from '../media/media.ts';
import type { Captioner, ClipModels, Listeners } from '../models/clip-models.ts';
import type { Source } from '../sources/source.ts';

/** A source as the settings and this computer have it. */
export interface OfferedSource {
  source: Source;
  isOn: boolean;
  /** Why it cannot be asked as things are. */
  lacks: Saying | null;
  /** What whoever uses it agrees to. */
  terms: Saying | null;
}

/** Where videos come from. */
export interface Sources {
  list(): readonly OfferedSource[];
  /** @throws BAD_REQUEST for one that cannot be asked, with why */
  get(kind: SourceKind): Source;
}

/** What a video is cut up by. */
export interface Stretches {
  seconds: number;
  /** Where something else begins to be seen, seconds, in order. */
  scenes: readonly number[];
  /** When somebody speaks; empty where nobody listened. */
  spoken: readonly Span[];
  /** So many at the most. */
  most: number;
}

/** What clips are made with. What is asked anew may come and go while the node runs. */
export interface ClipTools {
  /** Undefined without a program that reads videos: then nothing is mined. */
  media(): MediaTool | undefined;
  /** Of 5 to 120 seconds each, in their order, none over another. */
  windows(stretches: Stretches): Span[];
  /** Undefined where clips become no numbers. */
  models(): ClipModels | undefined;
  listeners(): Listeners;
  captioner(): Captioner | undefined;
}

/** What was said of a clip, and by whom. */
export interface Described {
  text: string;
  by: Describer;
}

/** Which videos were taken down. */
export interface TakeDowns {
  isTakenDown(video: VideoRef): Promise<boolean>;
}

/** Whether this computer has time for it. */
export interface Conditions {
  /** What speaks against it; empty where nothing does. */
  against(): readonly Saying[];
  /** @returns what ends that */
  subscribe(listener: () => void): () => void;
}
