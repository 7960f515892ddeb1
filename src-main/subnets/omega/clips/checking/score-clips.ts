import type { ClipScore } from '../../../../../src-preload/contract/data.ts';
import { type Saying, say, told } from '../../../../../src-preload/contract/saying.ts';
import { cosine } from '../../../../base/cosine.ts';
import type { ClipModels, TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import type { SubmittedClip } from '../rules/clip.ts';
import { MOST_PIECES } from '../rules/stuffing.ts';
import { type ClipWorth, submissionScore, type Uncounted } from '../rules/submission-score.ts';

/** A clip as it is scored. Its vectors are those of the models that score it, or are claimed to be. */
export interface ScorableClip {
  from: number;
  to: number;
  description: string;
  seen: Float32Array;
  /** Null without sound. */
  heard: Float32Array | null;
}

/** Clips that were handed in before. */
export interface KnownClips {
  /** For each, 1 − the cosine of the nearest one that was handed in before, 2 where there is none; null where that cannot be told. @param except ids that are passed over */
  distances(
    clips: readonly Float32Array[],
    about: { space: string; kind: 'videos' | 'sounds'; except: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly number[] | null>;
}

export interface ScoringPorts {
  models: Pick<ClipModels, 'space' | 'texts' | 'pieces'>;
  thresholds: SpaceThresholds;
  known: KnownClips;
}

export interface ScoredSubmission {
  /** `LEAST_SCORE` or more. */
  score: number;
  /** In the order of the clips, as the contract has them. */
  clips: ClipScore[];
}

/** Why a clip does not count, by the rules. */
export const UNCOUNTED: Record<Uncounted, Saying> = {
  length: say('clipValidation.uncounted.length'),
  tooMany: say('clipValidation.uncounted.tooMany'),
  stuffed: say('clipValidation.uncounted.stuffed'),
  repeated: say('clipValidation.uncounted.repeated'),
  known: say('clipValidation.uncounted.known'),
};
/** A description in more pieces is stuffed, whatever they say: what is beyond them is not looked at. */
const PIECES_LOOKED_AT = MOST_PIECES + 1;

/**
 * What clips come to as one submission (OMEGA, B5, steps 3 and 5 to 13): descriptions become numbers here, whatever their author sends for them.
 * @param except ids of known clips that are passed over: those of this very submission, where it is judged again
 * @throws what models and index throw
 */
export async function scoreSubmission(
  topic: string,
  clips: readonly ScorableClip[],
  { models, thresholds, known }: ScoringPorts,
  { signal, except = [] }: { signal: AbortSignal; except?: readonly string[] },
): Promise<ScoredSubmission> {
  const [asked, ...described] = await models.texts([topic, ...clips.map(({ description }) => description)], signal);
  const about = { space: models.space, kind: 'videos' as const, except };
  const distances = await known.distances(
    clips.map(({ seen }) => seen),
    about,
    signal,
  );
  const topicVectors = asked as TextVectors;
  const submitted: SubmittedClip[] = [];
  for (const [at, { from, to, seen, heard, ...clip }] of clips.entries()) {
    const description = described[at] as TextVectors;
    const { pieces, uniqueTokens } = await models.pieces(clip.description, signal);
    submitted.push({
      ...{ from, to, seen, heard, description, uniqueTokens },
      pieces: await models.texts(pieces.slice(0, PIECES_LOOKED_AT), signal),
      textCloseness: cosine(description.seen, topicVectors.seen),
      distanceToKnown: distances?.[at] ?? null,
    });
  }
  const { score, clips: worths } = submissionScore(submitted, topicVectors, thresholds);
  return { score, clips: submitted.map((one, at) => clipScoreOf(one, worths[at])) };
}

function clipScoreOf(
  { uniqueTokens, distanceToKnown: novelty }: SubmittedClip,
  found: ClipWorth | undefined,
): ClipScore {
  const about = { novelty, uniqueTokens, check: 'unlooked' as const };
  if (found?.counts !== true)
    return { ...NOTHING, ...about, uncounted: sentenceOf(UNCOUNTED[found?.why ?? 'tooMany']) };
  const { worth, descriptionRelevance, topicRelevance, detail } = found;
  return { worth, uncounted: null, descriptionRelevance, topicRelevance, detail, ...about };
}

export const sentenceOf = (text: Saying) => told({ text });

const NOTHING = { worth: 0, descriptionRelevance: null, topicRelevance: null, detail: null };

/** Of a clip that is not scored at all. */
export const uncountedScore = (why: Saying): ClipScore => ({
  ...{ ...NOTHING, novelty: null, uniqueTokens: 0, check: 'unlooked' },
  uncounted: sentenceOf(why),
});
