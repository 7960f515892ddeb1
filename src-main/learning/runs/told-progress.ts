import type { LearningProgress } from '../../../src-preload/contract/learning-runs.ts';

/** Told after each question of many, and null after the last of them. */
export type OnProgress = (progress: LearningProgress | null) => void;

/** Does some work of many questions, and tells how far it is. */
export async function toldProgress<T>(
  doing: LearningProgress['doing'],
  onProgress: OnProgress | undefined,
  work: (onOne: (done: number, of: number) => void) => Promise<T>,
): Promise<T> {
  try {
    return await work((done, of) => onProgress?.({ doing, done, of }));
  } finally {
    onProgress?.(null);
  }
}
