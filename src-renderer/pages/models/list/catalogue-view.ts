import type { CatalogueModel } from '../../../../src-preload/contract/models.ts';
import { type ModelRow, speedShown } from '../model/model-rows.ts';

export const SORTS = ['best', 'income', 'speed', 'size', 'name'] as const;
export const USES = ['chat', 'code', 'embedding'] as const satisfies readonly CatalogueModel['use'][];

/** What of the list is shown, and in which order. */
export interface CatalogueView {
  /** Words that must all be in name, title, licence or description, as it is shown. */
  text: string;
  use: CatalogueModel['use'] | 'all';
  sort: (typeof SORTS)[number];
}

export function shownModels(rows: readonly ModelRow[], view: CatalogueView): ModelRow[] {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(({ name, title, description, licence = '', use }) => {
    const searched = `${name} ${title} ${description} ${licence}`.toLowerCase();
    return (view.use === 'all' || use === view.use) && words.every((word) => searched.includes(word));
  });
  return found.sort(ORDERS[view.sort]);
}

const ORDERS: Record<CatalogueView['sort'], (a: ModelRow, b: ModelRow) => number> = {
  // The node's own order: what runs first, chat before code before search, the best of each first.
  best: (a, b) => inUse(a) - inUse(b),
  income: (a, b) => (b.forecast?.perDay.likely ?? -1) - (a.forecast?.perDay.likely ?? -1) || speed(b) - speed(a),
  speed: (a, b) => speed(b) - speed(a),
  size: (a, b) => (a.bytes ?? Number.MAX_SAFE_INTEGER) - (b.bytes ?? Number.MAX_SAFE_INTEGER),
  name: (a, b) => a.title.localeCompare(b.title),
};

/** The one in use comes first, and last what is only for practice. */
function inUse({ local }: ModelRow): number {
  if (local?.selected) return -1;
  return local?.tiny ? 1 : 0;
}

/** Those that write no answers have none. */
function speed(row: ModelRow): number {
  return speedShown(row)?.tokensPerSecond ?? -1;
}
