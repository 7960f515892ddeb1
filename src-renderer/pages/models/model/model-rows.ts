import type { Forecast } from '../../../../src-preload/contract/earning.ts';
import type {
  CatalogueModel,
  Download,
  LocalModel,
  ModelDetails,
  ModelFit,
} from '../../../../src-preload/contract/models.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { worded } from '../../../i18n/worded.ts';

/** One model in the list, wherever it is known from. */
export interface ModelRow {
  name: string;
  title: string;
  /** What it is good at, in the language of the screens; empty where nobody says. */
  description: string;
  use: CatalogueModel['use'];
  parameters: number | undefined;
  quantisation: string | undefined;
  /** Most tokens in one context. */
  contextLength: number | undefined;
  licence: string | undefined;
  /** Length of the file; null where it is not known before the download. */
  bytes: number | null;
  fit: ModelFit | null;
  /** Absent while it is not on this computer. */
  local: LocalModel | undefined;
  /** While one is under way. */
  download: Download | undefined;
  /** Absent where nothing can be said. */
  forecast: Forecast | undefined;
}

export interface KnownModels {
  local: readonly LocalModel[];
  /** Of those that are here, as far as they were read. */
  details: readonly ModelDetails[];
  catalogue: readonly CatalogueModel[];
  downloads: readonly Download[];
  forecasts: readonly Forecast[];
}

/** Every model that is here or can be had: those of the catalogue, then those that only this computer has. */
export function modelRows(known: KnownModels): ModelRow[] {
  const listed = new Set(known.catalogue.map(({ name }) => name));
  const others = known.local.filter(({ name }) => !listed.has(name));
  return [...known.catalogue.map((model) => listedRow(model, known)), ...others.map((model) => ownRow(model, known))];
}

function listedRow(model: CatalogueModel, known: KnownModels): ModelRow {
  const { name, title, use, parameters, quantisation, contextLength, licence, bytes, fit } = model;
  const local = known.local.find((one) => one.name === name);
  const details = known.details.find((one) => one.name === name);
  return {
    ...{ name, title, use, parameters, quantisation, contextLength, licence, local },
    ...{ bytes: local?.bytes ?? bytes, fit: details?.fit ?? fit, description: worded(model, 'description') },
    ...inMotion(name, known),
  };
}

function ownRow(local: LocalModel, known: KnownModels): ModelRow {
  const { name, bytes, licence } = local;
  const { title, quantisation } = modelTitle(name);
  const details = known.details.find((one) => one.name === name);
  return {
    ...{ name, title, bytes, licence, local },
    description: '',
    use: details?.facts?.embeddings ? 'embedding' : 'chat',
    parameters: details?.facts?.parameters,
    quantisation: details?.facts?.quantisation ?? quantisation,
    contextLength: details?.facts?.contextLength,
    fit: details?.fit ?? null,
    ...inMotion(name, known),
  };
}

function inMotion(name: string, { downloads, forecasts }: KnownModels): Pick<ModelRow, 'download' | 'forecast'> {
  return {
    download: downloads.find((one) => one.name === name && one.state !== 'done'),
    forecast: forecasts.find(({ model }) => model === name),
  };
}

/** How fast it writes; undefined for one that does not run, writes no answers, or is too small to tell anything by. */
export function speedShown({
  fit,
  use,
  local,
}: Pick<ModelRow, 'fit' | 'use' | 'local'>): ModelFit['speed'] | undefined {
  return fit && fit.runs !== 'no' && use !== 'embedding' && !local?.tiny ? fit.speed : undefined;
}

/** The first words of a description: «Strong answers and reasoning». */
export function shortly(description: string): string {
  return (description.split(/[;.]\s|[;.]$/)[0] ?? description).trim();
}
