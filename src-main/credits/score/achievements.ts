import type { ScoreState } from './score.ts';

const HOUR = 3_600_000;
/** Below so many milliseconds a request is fast (Speed Demon). */
export const FAST_MS = 2_000;
/** Requests no further apart than this belong to one run of serving (Marathoner, Night Owl), in milliseconds. */
export const RUN_GAP_MS = 600_000;
/** So many models make a Polyglot; the score state need not remember more. */
export const POLYGLOT_MODELS = 3;

/**
 * The newest receipts that counted, at most `limit`: all kinds of them, those that were fast, those of the present run of serving, or
 * the newest of each model.
 */
export interface Evidence {
  of: 'newest' | 'fast' | 'run' | 'models';
  limit: number;
}

/** A one-time bonus. Everything it asks for can be read from receipts, so that others can check it. */
export interface Achievement {
  id: string;
  title: string;
  /** What to do for it, as one clause. */
  description: string;
  /** Points, and credits, that it brings. */
  bonus: number;
  reached(state: ScoreState): boolean;
  /** The receipts that show it: see {@link Evidence}. */
  evidence: Evidence;
}

/** In the order in which they are awarded when one receipt brings several (QMesh, §Achievements). */
export const ACHIEVEMENTS: readonly Achievement[] = [
  {
    id: 'first-light',
    title: 'First Light',
    description: 'serve a request',
    bonus: 5,
    reached: ({ served }) => served >= 1,
    evidence: { of: 'newest', limit: 1 },
  },
  {
    id: 'speed-demon',
    title: 'Speed Demon',
    description: 'serve 10 requests in under 2 seconds each',
    bonus: 20,
    reached: ({ fast }) => fast >= 10,
    evidence: { of: 'fast', limit: 10 },
  },
  {
    id: 'perfectionist',
    title: 'Perfectionist',
    description: 'serve 50 requests in a row without a failure',
    bonus: 30,
    reached: ({ streak }) => streak >= 50,
    evidence: { of: 'newest', limit: 50 },
  },
  {
    id: 'centurion',
    title: 'Centurion',
    description: 'serve 100 requests',
    bonus: 50,
    reached: ({ served }) => served >= 100,
    evidence: { of: 'newest', limit: 100 },
  },
  {
    id: 'marksman',
    title: 'Marksman',
    description: 'serve 200 requests in a row without a failure',
    bonus: 100,
    reached: ({ streak }) => streak >= 200,
    evidence: { of: 'newest', limit: 200 },
  },
  {
    id: 'veteran',
    title: 'Veteran',
    description: 'serve 1,000 requests',
    bonus: 150,
    reached: ({ served }) => served >= 1_000,
    evidence: { of: 'newest', limit: 1_000 },
  },
  {
    id: 'marathoner',
    title: 'Marathoner',
    description: 'serve for an hour with no gap over 10 minutes',
    bonus: 25,
    reached: ({ runStart, runLast }) => runLast - runStart >= HOUR,
    evidence: { of: 'run', limit: 1_000 },
  },
  {
    id: 'night-owl',
    title: 'Night Owl',
    description: 'serve for 8 hours with no gap over 10 minutes',
    bonus: 60,
    reached: ({ runStart, runLast }) => runLast - runStart >= 8 * HOUR,
    evidence: { of: 'run', limit: 1_000 },
  },
  {
    id: 'polyglot',
    title: 'Polyglot',
    description: 'serve requests with 3 different models',
    bonus: 25,
    reached: ({ models }) => models.length >= POLYGLOT_MODELS,
    evidence: { of: 'models', limit: POLYGLOT_MODELS },
  },
];

/** An achievement by its id; undefined when this version does not know it. */
export function achievementById(id: string): Achievement | undefined {
  return ACHIEVEMENTS.find((achievement) => achievement.id === id);
}
