import { structuredPatch } from 'diff';
import type { DiffLine } from '../../../../src-preload/contract/optimiser.ts';

/** Lines that are shown above and below what differs. */
const CONTEXT = 3;
/** Lines that are gone or new: two sources that have less in common are shown one after the other. */
const MOST_EDITS = 1_000;

const KINDS: Record<string, DiffLine['kind']> = { ' ': 'same', '-': 'gone', '+': 'new' };

/** In what two sources differ, line by line. */
export function diffOf(before: string, after: string): DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT, maxEditLength: MOST_EDITS });
  if (!patch) return [...whole(before, 'gone'), ...whole(after, 'new')];
  return patch.hunks.flatMap(({ lines, oldStart }, at) => [
    ...(at > 0 || oldStart > 1 ? [{ kind: 'gap' as const, text: '' }] : []),
    ...lines.filter((line) => !line.startsWith('\\')).map(lineOf),
  ]);
}

const lineOf = (line: string): DiffLine => ({ kind: KINDS[line[0] ?? ''] ?? 'same', text: line.slice(1) });

const whole = (text: string, kind: DiffLine['kind']): DiffLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => ({ kind, text: line }));
