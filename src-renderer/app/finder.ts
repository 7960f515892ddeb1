import { create } from 'zustand';

/** Whether the palette that finds anything is open. */
export const useFinder = create<{ opened: boolean }>(() => ({ opened: false }));

export const FIND_KEYS = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K';

export function openFinder(): void {
  useFinder.setState({ opened: true });
}

export function closeFinder(): void {
  useFinder.setState({ opened: false });
}
