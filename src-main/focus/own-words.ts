import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Recording, RecordingState } from '../../src-preload/contract/focus.ts';
import { say } from '../../src-preload/contract/saying.ts';

/** Nobody but this computer has seen it yet. */
const UNSEEN: readonly RecordingState[] = ['recording', 'interrupted', 'draft'];

/**
 * Whether title and description of a recording may be changed by whoever recorded it.
 * @throws BAD_REQUEST where they are those of a list of tasks (OMEGA, B11), and once others have seen them
 */
export function checkOwnWords({ task, state }: Pick<Recording, 'task' | 'state'>): void {
  if (task && task.kind !== 'suggested') throw fixed('focusTasks.fixed');
  if (!UNSEEN.includes(state)) throw fixed('focusTasks.offered');
}

const fixed = (why: 'focusTasks.fixed' | 'focusTasks.offered') =>
  new QuarryError({ code: 'BAD_REQUEST', message: say(why) });
