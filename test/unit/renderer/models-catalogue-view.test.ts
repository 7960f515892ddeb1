import { describe, expect, it } from 'vitest';
import type { CatalogueModel, ModelFit } from '../../../src-preload/contract/models.ts';
import { speak } from '../../../src-renderer/i18n/i18n.ts';
import { type CatalogueView, shownModels } from '../../../src-renderer/pages/models/list/catalogue-view.ts';
import { grouped, groupOf } from '../../../src-renderer/pages/models/model/fit-group.ts';
import { type ModelRow, modelRows, shortly } from '../../../src-renderer/pages/models/model/model-rows.ts';
import * as data from '../../support/screens/sample-data.ts';

const { detailsOf, downloads, fit, forecasts } = data;
const catalogue = [...data.catalogue, ...data.moreModels];
const localModels = [...data.localModels, ...data.moreLocalModels];
const details = localModels.map(({ name }) => detailsOf(name));
const everything: CatalogueView = { text: '', use: 'all', sort: 'best' };
const nothing = { local: [], details: [], catalogue: [], downloads: [], forecasts: [] };

function model(title: string, changes: Partial<CatalogueModel>): ModelRow {
  const entry = { ...catalogue[0]!, name: title.toLowerCase(), title, description: 'For tests.', ...changes };
  return modelRows({ ...nothing, catalogue: [entry] })[0]!;
}

const tooLarge = model('Huge', { parameters: 70e9, bytes: 40e9, fit: fit('no', 1, 40) });
const slow = model('Slow', { parameters: 14e9, bytes: 9e9, fit: fit('partly', 5, 9), use: 'code' });
const pleasant = model('Pleasant', { parameters: 7e9, bytes: 5e9, fit: fit('gpu', 20, 5), licence: 'mit' });
const quick = model('Quick', { parameters: 1e9, bytes: 1e9, fit: fit('gpu', 100, 1) });
const search = model('Search', { parameters: 9e9, bytes: 2e9, fit: fit('gpu', 900, 1), use: 'embedding' });
const unknown = model('Unknown', { parameters: 8e9, bytes: null, fit: null });
const models = [search, tooLarge, unknown, quick, slow, pleasant];

const titles = (changes: Partial<CatalogueView>) =>
  shownModels(models, { ...everything, ...changes }).map(({ title }) => title);

describe('shownModels', () => {
  it('leaves what is best first to the node', () => {
    expect(titles({})).toEqual(['Search', 'Huge', 'Unknown', 'Quick', 'Slow', 'Pleasant']);
  });

  it('puts the model in use before all others, and the one for practice behind them', () => {
    const rows = modelRows({ ...nothing, local: [...localModels].reverse(), details });
    expect(shownModels(rows, everything).map(({ name }) => name)).toEqual([
      'qwen2.5-7b-instruct-q4_k_m',
      'qwen3-4b',
      'tiny',
    ]);
  });

  it('sorts by speed, with what does not run, is unknown or writes nothing at the end', () => {
    expect(titles({ sort: 'speed' }).slice(0, 3)).toEqual(['Quick', 'Pleasant', 'Slow']);
  });

  it('sorts by what a model would bring, with those of which nothing is known at the end, the quick ones first', () => {
    const known = { ...quick, forecast: { ...forecasts[0]!, model: 'quick' } };
    const better = { ...slow, forecast: { ...forecasts[1]!, model: 'slow' } };
    const shown = shownModels([unknown, pleasant, known, better], { ...everything, sort: 'income' });
    expect(shown.map(({ title }) => title)).toEqual(['Slow', 'Quick', 'Pleasant', 'Unknown']);
  });

  it('sorts by size, with unknown sizes at the end', () => {
    expect(titles({ sort: 'size' })).toEqual(['Quick', 'Search', 'Pleasant', 'Slow', 'Huge', 'Unknown']);
  });

  it('finds by a description as it is shown, too', async () => {
    const said = { description: { key: 'catalogue.qwen3-4b' } };
    const german = () => shownModels([model('Four', { said })], { ...everything, text: 'allrounder' });
    expect(german()).toHaveLength(0);
    await speak('de');
    expect(german()).toHaveLength(1);
    await speak('en');
  });

  it('filters by use and by words of title and licence, whatever their case', () => {
    expect(titles({ use: 'code' })).toEqual(['Slow']);
    expect(titles({ text: ' pleas MIT' })).toEqual(['Pleasant']);
    expect(titles({ text: 'pleas apache' })).toEqual([]);
  });

  it('does not change the list that it was given', () => {
    const before = [...models];
    shownModels(models, everything);
    expect(models).toEqual(before);
  });
});

describe('the groups of the list', () => {
  const room = (needed: number, usable: number): ModelFit['room'] => ({
    ...{ of: 'vram', usable, weights: needed, cache: 0, overhead: 0 },
  });
  const running = (runs: ModelFit['runs'], rate: number, needed: number): ModelFit => ({
    ...fit(runs, rate, needed),
    room: room(needed, 10),
  });
  const groupFor = (of: ModelFit | null) => groupOf({ local: undefined, fit: of });

  it.each([
    ['runs well with room to spare', running('gpu', 40, 8.9), 'well'],
    ['is tight from nine tenths of the memory on', running('gpu', 40, 9), 'tight'],
    ['is tight where the processor has to help', running('partly', 40, 5), 'tight'],
    ['is slow', running('cpu', 4, 5), 'tight'],
    ['is too large', running('no', 40, 12), 'large'],
    ['is not known', null, 'unknown'],
  ])('what %s', (_, of, group) => expect(groupFor(of)).toBe(group));

  it('have what is here first, whatever it takes, and no empty one', () => {
    const here = { ...tooLarge, local: localModels[0] };
    const found = grouped([tooLarge, pleasant, here]).map(({ group, rows }) => [group, rows.length]);
    expect(found).toEqual([
      ['local', 1],
      ['well', 1],
      ['large', 1],
    ]);
  });
});

describe('modelRows', () => {
  const rows = modelRows({
    local: localModels,
    details,
    catalogue,
    downloads,
    forecasts,
  });
  const row = (name: string) => rows.find((one) => one.name === name);

  it('has every model once, with what is known of it from everywhere', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(row('qwen3-4b')).toMatchObject({
      title: 'Qwen3 4B',
      local: { origin: 'downloaded' },
      forecast: { perDay: { likely: 58 } },
    });
    expect(row('qwen2.5-1.5b-instruct-q4_k_m')).toMatchObject({ local: undefined, download: { received: 0.42e9 } });
  });

  it('reads a title in the name of a file that no catalogue knows, and takes the rest from the file itself', () => {
    const name = 'mistral-7b-instruct-v0.3-q5_k_m';
    const own = { ...localModels[2]!, name, origin: 'imported' as const };
    const facts = { quantisation: 'Q5_K_M', parameters: 7.2e9, contextLength: 512, embeddings: true };
    const said = { ...details[0]!, name, facts };
    expect(modelRows({ ...nothing, local: [own], details: [said] })[0]).toMatchObject({
      title: 'Mistral 7B v0.3',
      description: '',
      use: 'embedding',
      quantisation: 'Q5_K_M',
      parameters: 7.2e9,
      fit: said.fit,
    });
    expect(modelRows({ ...nothing, local: [own] })[0]).toMatchObject({ fit: null, quantisation: 'Q5_K_M' });
  });

  it('shows no download that is over', () => {
    const over = [{ ...downloads[0]!, state: 'done' as const }];
    expect(modelRows({ ...nothing, catalogue, downloads: over }).every(({ download }) => !download)).toBe(true);
  });
});

describe('shortly', () => {
  it.each([
    ['Strong answers and reasoning; for a graphics card with 8 GB.', 'Strong answers and reasoning'],
    ['A capable all-rounder for 8 GB of memory.', 'A capable all-rounder for 8 GB of memory'],
    ['Version 1.5 of it', 'Version 1.5 of it'],
    ['', ''],
  ])('%s', (description, first) => expect(shortly(description)).toBe(first));
});
