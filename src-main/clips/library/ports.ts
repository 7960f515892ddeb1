import type { Submission } from '../../../src-preload/contract/data.ts';
import type { ClipVectorsByKind, StoredClip } from '../../store/clips/clips.ts';
import type { ClipModels } from '../models/clip-models.ts';

export interface ClipToScore {
  row: StoredClip;
  /** Of the models' space; those that are missing could not be reckoned. */
  vectors: ClipVectorsByKind;
}

/** What clips are worth: by the rules of a subnet, which this room does not know. */
export interface Scorer {
  /** As one submission. */
  score(
    topic: string,
    clips: readonly ClipToScore[],
    models: ClipModels,
    signal: AbortSignal,
  ): Promise<Pick<Submission, 'topic' | 'score' | 'reason' | 'clips'>>;
}
