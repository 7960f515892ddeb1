import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';

interface Selection {
  /** The conversation that is shown; undefined for one that begins with the next question. */
  id: string | undefined;
  /** How the next new conversation asks. */
  options: AskOptions;
}

/** Outlives a reload of the page. */
export const useSelection = create<Selection>()(
  persist((): Selection => ({ id: undefined, options: { target: 'local' } }), {
    name: 'quarry-playground',
    storage: createJSONStorage(() => sessionStorage),
  }),
);
