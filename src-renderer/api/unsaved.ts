import { useEffect } from 'react';

const held = new Set<symbol>();

/** Whether there is text in some field that is neither saved nor kept: the page is not loaded again then. */
export function hasUnsaved(): boolean {
  return held.size > 0;
}

/** Tells that a field holds what would be lost with the page. */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const field = Symbol();
    held.add(field);
    return () => void held.delete(field);
  }, [unsaved]);
}
