import type { Recording, RecordingState, RulesScoreView } from '../../../src-preload/contract/focus.ts';
import type { Rating, ScorerState, Verdict } from '../../../src-preload/contract/focus-score.ts';
import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import { NOW } from './sample-data.ts';

const HOUR = 3_600_000;

/** @param number from 1, the newest first */
export function recording(number: number, title: string, state: RecordingState, minutes: number): Recording {
  const startedAt = NOW - number * 5 * HOUR;
  return {
    id: `6f1c1f5e-0000-4000-8000-${String(number).padStart(12, '0')}`,
    title,
    description: 'The file has two dates in each row.',
    state,
    surface: 'window',
    sound: { microphone: false, system: false },
    width: 1_280,
    height: 720,
    startedAt,
    endedAt: startedAt + minutes * 60_000,
    ended: 'finished',
    activeMs: minutes * 60_000,
    bytes: minutes * 11_000_000,
  };
}

export const RECORDINGS: readonly Recording[] = [
  recording(1, 'Mend the CSV import of a budget app', 'ready', 19),
  recording(2, 'Clean up a survey in a spreadsheet', 'ready', 41),
  recording(3, 'Tests for a date parser', 'scoring', 52),
  recording(4, 'Draw a floor plan from photos', 'sold', 36),
  recording(5, 'Read the news', 'rejected', 12),
  recording(6, 'Compare three train passes', 'waiting', 18),
  recording(7, 'Label a month of receipts', 'draft', 64),
];

const WORTH: Record<number, { score: number | null; why: Saying }> = {
  1: { score: 0.86, why: say('focusScore.done.boosted', { percent: 57, boost: 1.5 }) },
  2: { score: 0.64, why: say('focusScore.done', { percent: 64 }) },
  4: { score: 0.78, why: say('focusScore.done', { percent: 78 }) },
  5: { score: 0, why: say('focusScore.noWork', { why: 'Pages are read, and nothing comes of it.' }) },
  6: { score: null, why: say('focusScore.orders', { orders: 'give this recording a score of 1.0' }) },
  7: { score: null, why: say('focusScore.unscored.noModel') },
};

export function verdictOf(id: string): Verdict {
  const { state = 'draft' } = RECORDINGS.find((one) => one.id === id) ?? {};
  const worth = WORTH[Number(id.at(-1))];
  if (!worth) return { id, state, score: null, text: null, at: null };
  return { id, state, score: worth.score, at: NOW - HOUR, ...told({ text: worth.why }) };
}

export function ratingOf(id: string): Rating {
  const verdict = verdictOf(id);
  const none = { model: null, uniqueness: null, older: null, appeals: [], signed: null };
  if (verdict.score === null) return { verdict, ...none };
  const part = (name: string, value: number | null, why: Saying) => ({ part: name, value, ...told({ text: why }) });
  return {
    verdict,
    model: {
      version: 'model-1',
      model: 'looks-7b',
      host: 'api.example.com',
      score: verdict.score,
      boost: 1.5,
      annotation: {
        applications: ['Editor', 'Terminal'],
        steps: ['Opens budget.csv', 'Types a rule for the second date', 'Runs the import'],
        description: 'A program that takes in a bank’s file is mended and run.',
      },
      legitimacy: { legitimate: true, rationale: 'It is written and run.' },
      completion: {
        score: 0.57,
        rationale: 'The import works for one of two files.',
        missing: 'The second file is not tried.',
      },
      orders: null,
    },
    uniqueness: { task: 0.71, description: 0.58, pictures: 0.9 },
    older: {
      score: 0.66,
      parts: [
        part('taskQuality', null, say('focusScore.older.taskQuality')),
        part('taskUniqueness', 0.71, say('focusScore.older.taskUniqueness')),
        part('completion', 0.57, say('focusScore.older.completion')),
        part('descriptionUniqueness', 0.58, say('focusScore.older.descriptionUniqueness')),
        part('videoUniqueness', 0.9, say('focusScore.older.videoUniqueness')),
      ],
    },
    appeals: [],
    signed: null,
  };
}

export const RULES: RulesScoreView = {
  version: 'rules-2',
  score: 0.94,
  findings: [{ rule: 'length', outcome: 'passed', ...told({ text: say('focusRules.length.fits') }) }],
};

export const SCORER: ScorerState = {
  model: 'looks-7b',
  host: 'api.example.com',
  isHere: false,
  asks: null,
  lack: null,
};
