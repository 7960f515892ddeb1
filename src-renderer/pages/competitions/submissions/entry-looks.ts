import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconCopy,
  IconFile,
  IconLock,
  IconLockOpen,
  IconMinus,
} from '@tabler/icons-react';
import type { EntryState, OwnEntry } from '../../../../src-preload/contract/competition.ts';
import type { State } from '../../../components/state.ts';

const LOOKS: Record<EntryState, { state: State; icon: typeof IconCheck }> = {
  kept: { state: 'idle', icon: IconFile },
  sending: { state: 'wait', icon: IconClock },
  refused: { state: 'error', icon: IconAlertTriangle },
  committed: { state: 'wait', icon: IconLock },
  missed: { state: 'error', icon: IconAlertTriangle },
  revealed: { state: 'wait', icon: IconLockOpen },
  copied: { state: 'error', icon: IconCopy },
  repeated: { state: 'pause', icon: IconCopy },
  wrong: { state: 'error', icon: IconAlertTriangle },
  right: { state: 'good', icon: IconCheck },
};

/** How a submission looks, and by what word of `is` it is called: what is right and has no place in the end has lost. */
export function entryLook({ state, isOver, place }: OwnEntry) {
  const hasLost = state === 'right' && isOver && place === null;
  if (hasLost) return { state: 'idle' as const, icon: IconMinus, word: 'noPlace' as const };
  return { ...LOOKS[state], word: state };
}
