import { create } from 'zustand';

/** What was typed but not sent, by conversation; `new` before there is one. It outlives a change of page. */
export const useDrafts = create<{ drafts: Record<string, string> }>(() => ({ drafts: {} }));

export function setDraft(id: string, text: string): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [id]: text } }));
}
