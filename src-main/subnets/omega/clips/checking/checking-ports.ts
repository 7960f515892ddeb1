import type { ClipModels, Listeners } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import type { ClipSubmissionStore, ForgottenVector } from '../../../../store/clips/clip-submissions.ts';
import type { ClipLook, LookPorts } from './look-closely.ts';
import type { KnownClips } from './score-clips.ts';

/** Clips that were handed in before, and how new ones come to be among them. */
export interface KeptClips extends KnownClips {
  /** Says that vectors are kept by now. */
  added(
    about: { space: string; kind: 'videos' | 'sounds' },
    clips: readonly { id: string; vector: Float32Array }[],
  ): Promise<void>;
  /** Says that they are kept no more. */
  forgotten(clips: readonly ForgottenVector[]): Promise<void>;
}

/** What clips are judged with. */
export interface ClipJudge {
  models: ClipModels;
  listeners: Listeners;
  /** Of clips, by what is seen in them and heard. */
  thresholds: SpaceThresholds;
  /** Of sounds without pictures. Default: those of clips. */
  soundThresholds?: SpaceThresholds | null;
}

export interface CheckingPorts {
  judge: ClipJudgeSource;
  media: LookPorts['media'];
  look: ClipLook;
  known: KeptClips;
  submissions: Pick<ClipSubmissionStore, 'keep' | 'lastChecks' | 'lastOfOthers' | 'vectorsOf'>;
  /** Words that are asked for. Default: Quarry's own. */
  topics?: readonly string[];
  /** Unix milliseconds. Default Date.now */
  now?: () => number;
}

/** Where models come from. */
export interface ClipJudgeSource {
  /** Of the models that are in use, or were last; undefined before. */
  readonly space: string | undefined;
  /** Nothing is loaded by that: models are when they are asked, and go again where nobody asks for a while. @throws QuarryError what is missing, with what to do */
  use(): Promise<ClipJudge>;
}
