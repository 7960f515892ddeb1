import { create } from 'zustand';
import type { SearchHit, VideoRef } from '../../../../src-preload/contract/data.ts';
import type { SourceKind } from '../../../../src-preload/contract/data-names.ts';

interface FindView {
  /** Undefined until somebody has chosen one: then it is the first that can be asked. */
  source: SourceKind | undefined;
  typed: string;
  /** What was searched for last; undefined before. */
  asked: { source: SourceKind; topic: string } | undefined;
  /** Key of the one whose details are shown. */
  selected: string | undefined;
  /** Videos that are chosen, by their keys. */
  chosen: Readonly<Record<string, VideoRef>>;
}

/** It outlives a change of tab. */
export const useFindView = create<FindView>(() => ({
  ...{ source: undefined, typed: '', asked: undefined, selected: undefined, chosen: {} },
}));

export const keyOf = ({ source, id }: VideoRef): string => `${source} ${id}`;

export function canBeChosen({ unusable, isKnown }: SearchHit): boolean {
  return unusable === null && !isKnown;
}

/** Chooses some, or takes their choice back. */
export function choose(hits: readonly SearchHit[], isChosen: boolean): void {
  const { chosen: before } = useFindView.getState();
  const keys = new Set(hits.map(keyOf));
  const others = Object.entries(before).filter(([key]) => !keys.has(key));
  const added = isChosen ? hits.filter(canBeChosen).map((hit) => [keyOf(hit), { source: hit.source, id: hit.id }]) : [];
  useFindView.setState({ chosen: Object.fromEntries([...others, ...added]) });
}
