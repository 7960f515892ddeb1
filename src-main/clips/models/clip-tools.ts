import type { Saying } from '../../../src-preload/contract/saying.ts';
import type { MediaTool } from '../media/media.ts';
import type { Captioner, ClipModels, Listeners } from './clip-models.ts';
import type { LocalCaptioner } from './local-captioner.ts';

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

/** Whether this computer has time for it. */
export interface Conditions {
  /** What speaks against it; empty where nothing does. */
  against(): readonly Saying[];
  /** @returns what ends that */
  subscribe(listener: () => void): () => void;
}
