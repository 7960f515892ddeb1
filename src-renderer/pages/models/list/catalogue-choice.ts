import { create } from 'zustand';
import type { CatalogueView } from './catalogue-view.ts';

export const EVERYTHING: CatalogueView = { text: '', use: 'all', sort: 'best' };

/** What of the catalogue is shown; outlives a look at another tab or page. */
export const useCatalogueView = create<CatalogueView>(() => EVERYTHING);

/** The model whose details are shown; undefined before one was pressed. */
export const useSelected = create<{ name: string | undefined }>(() => ({ name: undefined }));

/** Shows the whole catalogue with the details of one model. */
export function showInCatalogue(name: string): void {
  useCatalogueView.setState(EVERYTHING);
  useSelected.setState({ name });
}

/**
 * Looks for the model that the page's address names, once: a link `quarry://models/NAME` opens `/?model=NAME#/models`.
 * @returns whether it names one
 */
export function takeWantedModel(): boolean {
  const model = new URLSearchParams(location.search).get('model');
  if (!model) return false;
  useCatalogueView.setState({ ...EVERYTHING, text: model });
  history.replaceState(history.state, '', location.pathname + location.hash);
  return true;
}
