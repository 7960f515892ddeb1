import type { LearningPart } from '../parts/learning.ts';
import type { Domain } from './implementer.ts';

/** The contract's `learning`. */
export function learningRoutes({ os }: Domain<'learning'>, learning: LearningPart) {
  return {
    status: os.status.handler(() => learning.status()),
  };
}
