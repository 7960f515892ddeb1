import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import type { ClipToScore, Scorer } from '../../../clips/library/ports.ts';
import type { SpaceThresholds } from '../../../clips/models/space-thresholds.ts';
import {
  type ScorableClip,
  scoreSubmission,
  sentenceOf,
  uncountedScore,
} from '../../../subnets/omega/clips/checking/score-clips.ts';
import { barredBecause } from '../../../subnets/omega/clips/rules/admissible.ts';

/** What others have handed in is known to whoever validates alone. */
const NOTHING_KNOWN = { distances: async () => null };

/** Scores clips of this node by OMEGA's rules, as a validator with the same models would. @param thresholds null where nobody has measured them */
export function clipScorer(thresholds: () => SpaceThresholds | null): Scorer {
  return {
    async score(topic, clips, models, signal) {
      const limits = thresholds();
      if (!limits) {
        const [why, score] = [say('clips.notMeasured'), uncountedScore(say('clips.notMeasured'))];
        return { topic, score: null, reason: sentenceOf(why), clips: clips.map((one) => ({ ...refOf(one), score })) };
      }
      const barred = clips.map(whyBarred);
      const scorable = clips.map((one, at) => (barred[at] ? undefined : scorableOf(one)));
      const counted = scorable.filter((one) => one !== undefined);
      const ports = { models, thresholds: limits, known: NOTHING_KNOWN };
      const scored = await scoreSubmission(topic, counted, ports, { signal });
      const scores = scorable.map((one) => (one ? scored.clips[counted.indexOf(one)] : undefined));
      const views = clips.map((one, at) => {
        const why = barred[at] ?? say('clips.notInSpace');
        return { ...refOf(one), score: scores[at] ?? uncountedScore(why) };
      });
      return { topic, score: scored.score, reason: null, clips: views };
    },
  };
}

/** What validators would look at, and count nothing. Which sources they ask nobody here knows. */
const whyBarred = ({ row: { source, licence, from_s: from, to_s: to } }: ClipToScore): Saying | undefined =>
  barredBecause({ source, licence, from, to }, 'videos');

/** Undefined for one that is no numbers of these models. */
function scorableOf({ row, vectors: { seen, heard } }: ClipToScore): ScorableClip | undefined {
  if (!seen) return undefined;
  return { from: row.from_s, to: row.to_s, description: row.description, seen, heard: heard ?? null };
}

const refOf = ({ row }: ClipToScore) => ({
  ...{ source: row.source, id: row.video, clip: row.clip, from: row.from_s, to: row.to_s },
  description: row.description,
});
