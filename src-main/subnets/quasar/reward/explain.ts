import type { ScoreName } from '../../../../src-preload/contract/evaluation-scores.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { PARTS, type Part, WEIGHTS } from './composite.ts';

/** A part of the composite that was measured. */
export interface MeasuredPart {
  /** 0 to 1; of speed tokens a second. */
  value: number;
  /** What counts of it before its weight, 0 to 1. */
  counted: number;
  /** Out of so many; of scaling out of times alone. */
  answers: number;
  /** Of scaling: the shortest and the longest length, tokens. */
  lengths?: readonly [shortest: number, longest: number];
}

/** All scores of an evaluation; null, or absent, is what its answers do not show. Shares are 0 to 1. */
export interface Scores {
  answered: number;
  unanswered: number;
  accuracy: number | null;
  reward: number | null;
  /** The largest that an answer was counted with. */
  multiplier: number;
  measured: Partial<Record<Part, MeasuredPart>>;
  composite: { total: number; bonus: number } | null;
  /** The share of questions that got the same answer twice. */
  consistency: number | null;
  /** How many were asked twice. */
  pairs: number;
}

/** One score in words. */
export interface ScoreLine {
  score: ScoreName;
  name: Saying;
  /** Null: not measured, and `from` says what would. */
  value: number | null;
  is: Saying;
  from: Saying;
}

/** Every score in words: what it is, and from what it came. */
export function scoreLines(scores: Scores): ScoreLine[] {
  return [
    {
      ...{
        score: 'accuracy',
        name: say('quasar.name.accuracy'),
        value: scores.accuracy,
        is: say('quasar.is.accuracy'),
      },
      from: fromAnswers(scores),
    },
    {
      ...{ score: 'reward', name: say('quasar.name.reward'), value: scores.reward, is: say('quasar.is.reward') },
      from: fromLengths(scores),
    },
    {
      ...{ score: 'composite', name: say('quasar.name.composite'), value: scores.composite?.total ?? null },
      ...{ is: say('quasar.is.composite'), from: fromParts(scores) },
    },
    ...PARTS.map((part) => partLine(part, scores.measured[part])),
    {
      ...{ score: 'consistency', name: say('quasar.name.consistency'), value: scores.consistency },
      is: say('quasar.is.consistency'),
      from:
        scores.consistency === null
          ? say('quasar.lacks.consistency')
          : say('quasar.from.pairs', { pairs: scores.pairs }),
    },
  ];
}

const NOTHING = say('quasar.lacks.answers');

function fromAnswers({ answered, unanswered }: Scores): Saying {
  if (answered === 0) return NOTHING;
  if (unanswered === 0) return say('quasar.from.answers', { answers: answered });
  return say('quasar.from.someAnswers', { answers: answered, unanswered });
}

function fromLengths({ reward, multiplier }: Scores): Saying {
  if (reward === null) return NOTHING;
  return multiplier === 1 ? say('quasar.from.sameReward') : say('quasar.from.reward', { multiplier });
}

function fromParts({ measured, composite }: Scores): Saying {
  if (!composite) {
    return say('quasar.lacks.parts', {
      parts: PARTS.filter((part) => !measured[part]).map((part) => WORDS[part].name),
    });
  }
  if (composite.bonus === 1) return say('quasar.from.parts');
  return say('quasar.from.partsAndBonus', { percent: percent(composite.bonus - 1) });
}

const WORDS = {
  memory: { name: say('quasar.name.memory'), is: say('quasar.is.memory'), lacks: say('quasar.lacks.memory') },
  position: { name: say('quasar.name.position'), is: say('quasar.is.position'), lacks: say('quasar.lacks.position') },
  coherence: {
    name: say('quasar.name.coherence'),
    is: say('quasar.is.coherence'),
    lacks: say('quasar.lacks.coherence'),
  },
  speed: { name: say('quasar.name.speed'), is: say('quasar.is.speed'), lacks: say('quasar.lacks.speed') },
  scaling: { name: say('quasar.name.scaling'), is: say('quasar.is.scaling'), lacks: say('quasar.lacks.scaling') },
} as const satisfies Record<Part, Record<'name' | 'is' | 'lacks', Saying>>;

function partLine(part: Part, measured: MeasuredPart | undefined): ScoreLine {
  const { name, is, lacks } = WORDS[part];
  if (!measured) return { score: part, name, value: null, is, from: lacks };
  const { value, counted, answers, lengths } = measured;
  const of = { counted: percent(counted), weight: percent(WEIGHTS[part]) };
  const from = lengths
    ? say('quasar.from.lengths', { ...of, shortest: lengths[0], longest: lengths[1] })
    : say('quasar.from.part', { ...of, answers });
  return { score: part, name, value, is, from };
}

const percent = (share: number) => Math.round(share * 1_000) / 10;
