import type { CatalogueModel, Download, LocalModel } from '../../../../src-preload/contract/models.ts';
import { modelTitle } from '../../../i18n/model-title.ts';

/** A model that can be picked: one that is here, or one of the catalogue. */
export interface Choice {
  name: string;
  title: string;
  installed: boolean;
  /** The built-in one, which is only for practice. */
  tiny: boolean;
  bytes: number | null;
  licence: string | undefined;
  /** Absent for models that the catalogue does not know. */
  catalogue?: CatalogueModel;
  /** It is larger than what is free on the drive. */
  tooLarge: boolean;
}

interface Known {
  recommended: readonly CatalogueModel[];
  local: readonly LocalModel[];
  /** Bytes free where models are kept; undefined while that is not known. */
  free: number | undefined;
}

/** What can be picked: recommended models as they are ranked, then others that are here, the built-in one last. */
export function choicesOf({ recommended, local, free }: Known): Choice[] {
  const known = new Set(recommended.map(({ name }) => name));
  const others = local.filter(({ name }) => !known.has(name));
  return [
    ...recommended.map((model) => fromCatalogue(model, local, free)),
    ...others.filter(({ tiny }) => !tiny).map(fromLibrary),
    ...others.filter(({ tiny }) => tiny).map(fromLibrary),
  ];
}

/** The one that is picked until a person picks: what is in use if it is a real model, else the first that there is room for. */
export function suggestion(choices: readonly Choice[], local: readonly LocalModel[]): Choice | undefined {
  const inUse = local.find(({ selected, tiny }) => selected && !tiny)?.name;
  return choices.find(({ name }) => name === inUse) ?? choices.find(({ tooLarge }) => !tooLarge);
}

/** The download to show: of the picked model, else any that is not complete. */
export function downloadOf(downloads: readonly Download[], picked: string | undefined): Download | undefined {
  const open = downloads.filter(({ state }) => state !== 'done');
  return open.find(({ name }) => name === picked) ?? open[0];
}

/** Whether a download stands still until somebody does something. */
export function rests({ state }: Pick<Download, 'state'>): boolean {
  return state === 'paused' || state === 'failed';
}

function fromCatalogue(catalogue: CatalogueModel, local: readonly LocalModel[], free: number | undefined): Choice {
  const { name, title, bytes, licence } = catalogue;
  const installed = local.some((model) => model.name === name);
  const tooLarge = !installed && bytes !== null && free !== undefined && bytes > free;
  return { name, title, installed, tiny: false, bytes, licence, catalogue, tooLarge };
}

function fromLibrary({ name, bytes, licence, tiny }: LocalModel): Choice {
  return { name, title: modelTitle(name).title, installed: true, tiny, bytes, licence, tooLarge: false };
}
