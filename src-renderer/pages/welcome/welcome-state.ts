import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { Step } from './steps.ts';

interface WelcomeState {
  /** Undefined: where {@link firstStep} says. */
  step: Step | undefined;
  /** Name of the model that was picked last. */
  picked: string | undefined;
}

/** How far a person is in the welcome; outlives a reload of the page. */
export const useWelcome = create<WelcomeState>()(
  persist((): WelcomeState => ({ step: undefined, picked: undefined }), {
    name: 'quarry-welcome',
    storage: createJSONStorage(() => sessionStorage),
  }),
);

/** In this browser, for good. */
const GREETED = 'quarry-greeted';

/** Whether nobody has gone on from the greeting in this browser yet. */
export const isFirstVisit = (): boolean => localStorage.getItem(GREETED) === null;

/** The greeting was left for another step. */
export const greeted = (): void => localStorage.setItem(GREETED, 'yes');
