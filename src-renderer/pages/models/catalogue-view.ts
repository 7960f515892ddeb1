import type { CatalogueModel } from '../../../src-preload/contract/models.ts';
import { worded } from '../../i18n/worded.ts';

export const SORTS = ['best', 'speed', 'size', 'name'] as const;

/** What of the catalogue is shown, and in which order. */
export interface CatalogueView {
  /** Words that must all be in name, title, licence or description, as it is shown or in English. */
  text: string;
  use: CatalogueModel['use'] | 'all';
  /** Leaves out what does not run on this machine; what nobody could estimate stays. */
  fitsHere: boolean;
  sort: (typeof SORTS)[number];
}

export function shownModels(models: readonly CatalogueModel[], view: CatalogueView): CatalogueModel[] {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) => {
    const { name, title, description, licence, use, fit } = model;
    const searched = `${name} ${title} ${worded(model, 'description')} ${description} ${licence}`.toLowerCase();
    if (view.use !== 'all' && use !== view.use) return false;
    if (view.fitsHere && fit?.runs === 'no') return false;
    return words.every((word) => searched.includes(word));
  });
  return found.sort(ORDERS[view.sort]);
}

const ORDERS: Record<CatalogueView['sort'], (a: CatalogueModel, b: CatalogueModel) => number> = {
  // The node's own order.
  best: () => 0,
  speed: (a, b) => speed(b) - speed(a),
  size: (a, b) => (a.bytes ?? Number.MAX_SAFE_INTEGER) - (b.bytes ?? Number.MAX_SAFE_INTEGER),
  name: (a, b) => a.title.localeCompare(b.title),
};

function speed({ fit }: CatalogueModel): number {
  return fit && fit.runs !== 'no' ? fit.speed.tokensPerSecond : -1;
}
