import { create } from 'zustand';
import type { Clip, ClipFilter } from '../../../../src-preload/contract/data.ts';
import type { Describer, Licence, SourceKind } from '../../../../src-preload/contract/data-names.ts';

/** Words that stand in a clip, or what it is about. */
export type SearchBy = 'text' | 'about';

interface LibraryView {
  by: SearchBy;
  words: string;
  /** Nearest to this one first; instead of words. */
  like: Pick<Clip, 'clip' | 'title'> | undefined;
  source: SourceKind | undefined;
  licence: Licence | undefined;
  describedBy: Describer | undefined;
  /** Those on the list of what was taken down, instead of the others. */
  takenDown: boolean;
  /** Id of the one whose details are shown. */
  selected: string | undefined;
}

const ALL: LibraryView = {
  ...{ by: 'text', words: '', like: undefined, source: undefined, licence: undefined, describedBy: undefined },
  ...{ takenDown: false, selected: undefined },
};

/** How the library is looked at; it outlives a change of tab. */
export const useLibraryView = create<LibraryView>(() => ALL);

export function showAll(): void {
  useLibraryView.setState(ALL);
}

/** @param words as they stand once nobody types any more */
export function filterOf(view: LibraryView, words: string): ClipFilter {
  const { by, like, source, licence, describedBy, takenDown } = view;
  return {
    ...(like ? { like: like.clip } : words !== '' && { [by]: words }),
    ...(source && { source }),
    ...(licence && { licence }),
    ...(describedBy && { describedBy }),
    isTakenDown: takenDown,
  };
}

export function isFiltered({ words, like, source, licence, describedBy, takenDown }: LibraryView): boolean {
  return words !== '' || takenDown || [like, source, licence, describedBy].some((one) => one !== undefined);
}
