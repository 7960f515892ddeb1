import type { MadeTasks } from '../context-task.ts';
import { anchors } from './anchors.ts';
import { execution } from './execution/execution.ts';
import { needle, needles, scaling } from './needles.ts';
import { patterns } from './patterns.ts';
import { places } from './places.ts';
import { twoHop } from './two-hop.ts';

/** Every kind of task that Quarry makes by itself, at any length. */
export const MADE_TASKS: readonly MadeTasks[] = [
  ...[needle, needles, twoHop, anchors, patterns, scaling, places, execution],
];
