import type { DataSource, FoundVideo, VideoRef } from '../../../src-preload/contract/data.ts';
import type { Describer, SourceKind } from '../../../src-preload/contract/data-names.ts';
import type { Saying } from '../../../src-preload/contract/saying.ts';
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
