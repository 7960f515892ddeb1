import { create } from 'zustand';

/** What was filled in for the next recording: it is there again where choosing what to record came to nothing, and after another page. */
export interface Draft {
  title: string;
  description: string;
  microphone: boolean;
  system: boolean;
}

const EMPTY: Draft = { title: '', description: '', microphone: false, system: false };

export const useDraft = create<Draft>(() => EMPTY);

export const clearDraft = (): void => useDraft.setState(EMPTY);

export const changeDraft = (change: Partial<Draft>): void => useDraft.setState(change);
