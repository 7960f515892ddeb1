import { type Saying, say, type Words } from '../../../../src-preload/contract/saying.ts';
import type { FoundFault } from './kernel-instance.ts';
import type { KernelRefusal, WrongPlace } from './verdict.ts';

/** What the process that judges has found, as it is told. */
export function refusalOf(found: FoundFault): KernelRefusal {
  const place = found.fault === 'wrong' ? found.place : undefined;
  return { right: false, fault: found.fault, reason: reasonOf(found), ...(place && { place }) };
}

function reasonOf(found: FoundFault): Saying {
  if (found.fault === 'imports') return say('kernels.imports', { count: 1 });
  if (found.fault === 'memory') return say('kernels.grew');
  if (found.fault === 'tampers') return say('kernels.tampers');
  if (found.fault === 'exports') return say(found.missing === 'memory' ? 'kernels.noMemory' : 'kernels.noStep');
  if (found.fault === 'traps') return say('kernels.traps', { error: found.error });
  if (found.fault === 'late') return say('kernels.slow', { pairs: found.pairs, seconds: found.ms / 1_000 });
  return wrong(found.place);
}

function wrong({ kind, where, row, column, expected, got }: WrongPlace): Saying {
  if (column === null) return say(where === 'out' ? 'kernels.wrongRow' : 'kernels.wrongStateRow', { row: String(row) });
  const told = { kind, row: String(row), column: String(column), got: String(got), expected: String(expected) };
  return say(where === 'out' ? 'kernels.wrongOut' : 'kernels.wrongState', told);
}

/** @param ms for which it may work without an end of it */
export const late = (ms: number): KernelRefusal => ({
  right: false,
  fault: 'late',
  reason: say('kernels.late', { seconds: ms / 1_000 }),
});

/** The last words of Node that has run out of memory are a stack of C++. */
export const died = (reason: Words): KernelRefusal => ({
  right: false,
  fault: 'died',
  reason: say('kernels.died', { reason: saysNothing(reason) ? say('kernels.killed') : reason }),
});

const saysNothing = (reason: Words): boolean => typeof reason === 'object' && reason.key === 'child.lastWords';
