import { create } from 'zustand';

interface Adding {
  /** Which dialog is open to add a model that the catalogue lacks. */
  by: 'file' | 'address' | undefined;
  /** The file that was dropped: its path where the page may know it, else its name. */
  file?: { path?: string; name: string } | undefined;
}

/** A model that somebody is about to add; any page may begin with it, the page Models goes on. */
export const useAdding = create<Adding>(() => ({ by: undefined }));

export function endAdding(): void {
  useAdding.setState({ by: undefined, file: undefined });
}
