import { create } from 'zustand';
import type { HubSort } from '../../../../src-preload/contract/hub-sorts.ts';

/** What is searched for, and what is selected of it; outlives a look at another tab or page. */
interface HubView {
  text: string;
  sort: HubSort;
  /** `owner/name` of the repository whose details are shown; undefined before one was pressed. */
  selected: string | undefined;
}

export const useHubView = create<HubView>(() => ({ text: '', sort: 'downloads', selected: undefined }));

/** The two halves of `owner/name`. */
export function halves(id: string): { owner: string; name: string } {
  const [owner = '', name = id] = id.split('/');
  return { owner, name };
}
