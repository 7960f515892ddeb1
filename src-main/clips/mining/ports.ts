import type { DataSource, FoundVideo, VideoRef } from '../../../src-preload/contract/data.ts';
import type { Describer, SourceKind } from '../../../src-preload/contract/data-names.ts';
import type { Saying } from '../../../src-preload/contract/saying.ts';
import type { MediaTool } from '../media/media.ts';
import type { Captioner, ClipModels, Listeners } from '../models/clip-models.ts';
import type { LocalCaptioner } from '../models/local-captioner.ts';
import type { Source } from '../sources/source.ts';

/** Where videos come from. */
export interface Sources {
  /** All there are, whether or not they can be asked. */
  list(): DataSource[];
  /** Those that are on, and can be asked. */
  readonly ready: readonly SourceKind[];
  /** @throws QuarryError for one that cannot be asked, with why */
  get(kind: SourceKind): Source;
  /** Why the licence of a video is none under which a clip may be made; undefined where it is one. */
  whyUnusable(video: Pick<FoundVideo, 'licence'>): Saying | undefined;
}

/** What clips are made with. What is asked anew may come and go while the node runs. */
export interface ClipTools {
  /** Undefined without a program that reads videos: then nothing is mined. */
  media(): Promise<MediaTool | undefined>;
  /** Undefined where clips become no numbers. */
  models(): ClipModels | undefined;
  listeners(): Listeners;
  /** A model that sees pictures and writes; undefined where none may be asked. */
  captioner(): Captioner | undefined;
  /** Who describes without one. */
  readonly plain: Pick<LocalCaptioner, 'describe'>;
}

/** What was said of a clip, and by whom. */
export interface Described {
  text: string;
  by: Describer;
  /** The model that wrote it; null where none did. */
  model: string | null;
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
