import { create } from 'zustand';
import type { DataSource, DataState } from '../../../../src-preload/contract/data.ts';
import { USUAL_MINED } from '../../../../src-preload/contract/data-limits.ts';
import type { SourceKind } from '../../../../src-preload/contract/data-names.ts';
import type { client } from '../../../api/client.ts';
import { canBeAsked } from '../use-data.ts';

type Wish = Parameters<typeof client.data.mine>[0];

/** What was typed; it outlives a change of tab. What is undefined is as the order before, or as usual. */
interface OrderDraft {
  topic: string | undefined;
  sources: SourceKind[] | undefined;
  /** Empty text while nothing stands there. */
  most: number | string | undefined;
}

const NOTHING: OrderDraft = { topic: undefined, sources: undefined, most: undefined };

export const useOrderDraft = create<OrderDraft>(() => NOTHING);

export function forgetOrderDraft(): void {
  useOrderDraft.setState(NOTHING);
}

/** What the form shows. */
export interface OrderFields {
  topic: string;
  sources: SourceKind[];
  most: number | string;
}

export function fieldsOf(draft: OrderDraft, order: DataState['order'], sources: readonly DataSource[]): OrderFields {
  const usable = sources.filter(canBeAsked).map(({ kind }) => kind);
  return {
    topic: draft.topic ?? order?.topic ?? '',
    sources: (draft.sources ?? order?.sources ?? usable).filter((kind) => usable.includes(kind)),
    most: draft.most ?? order?.most ?? USUAL_MINED,
  };
}

/** Undefined where a field is wrong. */
export function wishOf({ topic, sources, most }: OrderFields): Wish | undefined {
  if (topic.trim() === '' || sources.length === 0 || typeof most !== 'number') return undefined;
  return { topic: topic.trim(), sources, most };
}
