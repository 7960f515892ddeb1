import { create } from 'zustand';
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware';
import type { AttachedFile } from '../../../../src-preload/contract/conversations.ts';
import { MAX_FILES_CHARS } from '../../../../src-preload/contract/limits.ts';

/** A question that is not sent yet. */
export interface Draft {
  text: string;
  files: AttachedFile[];
}

type Drafts = Record<string, Draft>;

const NO_DRAFT: Draft = { text: '', files: [] };

/** A browser keeps a few megabytes for a page; drafts with long files may be more, and are then here until the page is left. */
const asMuchAsFits: StateStorage = {
  getItem: (name) => sessionStorage.getItem(name),
  removeItem: (name) => sessionStorage.removeItem(name),
  setItem(name, value) {
    try {
      sessionStorage.setItem(name, value);
    } catch {
      sessionStorage.removeItem(name); // an older draft would be the wrong one
    }
  },
};

/** What was typed but not sent, by conversation; `new` before there is one. It outlives a change of page, and a reload where it is small. */
const useDrafts = create<{ drafts: Drafts }>()(
  persist((): { drafts: Drafts } => ({ drafts: {} }), {
    name: 'quarry-drafts',
    storage: createJSONStorage(() => asMuchAsFits),
    partialize: ({ drafts }) => ({
      drafts: Object.fromEntries(Object.entries(drafts).filter(([, one]) => isSmall(one))),
    }),
  }),
);

export function useDraft(id: string): Draft {
  return useDrafts(({ drafts }) => drafts[id] ?? NO_DRAFT);
}

export function draftOf(id: string): Draft {
  return useDrafts.getState().drafts[id] ?? NO_DRAFT;
}

/** Keeps a draft; an empty one is forgotten. @param draft default: none any more */
export function setDraft(id: string, draft: Draft = NO_DRAFT): void {
  useDrafts.setState(({ drafts: { [id]: _, ...others } }) => ({
    drafts: draft.text === '' && draft.files.length === 0 ? others : { ...others, [id]: draft },
  }));
}

/** Whether it outlives a reload: a long file would be written anew with every key that is pressed. */
export function isSmall({ files }: Draft): boolean {
  return files.reduce((sum, { text }) => sum + text.length, 0) <= MAX_FILES_CHARS;
}
