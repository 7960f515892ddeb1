import { assignments } from './assignments.ts';
import { classes } from './classes.ts';
import type { Topic } from './code-base.ts';
import { flow } from './flow.ts';
import { imports } from './imports.ts';
import { signatures } from './signatures.ts';
import { smells } from './smells.ts';

/** All sorts of questions about code bases. A new one, or another order, changes what a seed stands for. */
export const TOPICS: readonly Topic[] = [assignments, signatures, imports, classes, smells, flow];
