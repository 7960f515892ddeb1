import { create } from 'zustand';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';

interface Selection {
  /** The conversation that is shown; undefined for one that begins with the next question. */
  id: string | undefined;
  /** How the next new conversation asks. */
  options: AskOptions;
}

export const useSelection = create<Selection>(() => ({ id: undefined, options: { target: 'local' } }));
