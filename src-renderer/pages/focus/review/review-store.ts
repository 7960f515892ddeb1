import { create } from 'zustand';
import { type Change, changed, type History, redone, UNEDITED, undone } from './edit-list.ts';

/** What is done to videos, by their recordings: it is there again when the review is closed and opened, until this page is. */
const useHistories = create<Record<string, History>>(() => ({}));

/** The edits of one recording, and how they are changed, undone and redone. */
export function useEdits(id: string) {
  const history = useHistories((all) => all[id] ?? UNEDITED);
  const set = (next: (history: History) => History) =>
    useHistories.setState((all) => ({ [id]: next(all[id] ?? UNEDITED) }));
  return {
    edits: history.now,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (change: Change) => set((before) => changed(before, change)),
    undo: () => set(undone),
    redo: () => set(redone),
  };
}
