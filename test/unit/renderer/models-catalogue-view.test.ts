import { describe, expect, it } from 'vitest';
import type { CatalogueModel } from '../../../src-preload/contract/models.ts';
import { speak } from '../../../src-renderer/i18n/i18n.ts';
import { type CatalogueView, shownModels } from '../../../src-renderer/pages/models/catalogue-view.ts';
import { catalogue, fit } from '../../support/screens/sample-data.ts';

const everything: CatalogueView = { text: '', use: 'all', fitsHere: false, sort: 'best' };

function model(title: string, changes: Partial<CatalogueModel>): CatalogueModel {
  return { ...catalogue[0]!, name: title.toLowerCase(), title, description: 'For tests.', ...changes };
}

const tooLarge = model('Huge', { parameters: 70e9, bytes: 40e9, fit: fit('no', 1, 40) });
const slow = model('Slow', { parameters: 14e9, bytes: 9e9, fit: fit('partly', 5, 9), use: 'code' });
const pleasant = model('Pleasant', { parameters: 7e9, bytes: 5e9, fit: fit('gpu', 20, 5), licence: 'mit' });
const quick = model('Quick', { parameters: 1e9, bytes: 1e9, fit: fit('gpu', 100, 1) });
const unknown = model('Unknown', { parameters: 8e9, bytes: null, fit: null });
const models = [tooLarge, unknown, quick, slow, pleasant];

const titles = (changes: Partial<CatalogueView>) =>
  shownModels(models, { ...everything, ...changes }).map(({ title }) => title);

describe('shownModels', () => {
  it('leaves what is best first to the node', () => {
    expect(titles({})).toEqual(['Huge', 'Unknown', 'Quick', 'Slow', 'Pleasant']);
  });

  it('sorts by speed, with what does not run or is unknown at the end', () => {
    expect(titles({ sort: 'speed' }).slice(0, 3)).toEqual(['Quick', 'Pleasant', 'Slow']);
  });

  it('sorts by size, with unknown sizes at the end', () => {
    expect(titles({ sort: 'size' })).toEqual(['Quick', 'Pleasant', 'Slow', 'Huge', 'Unknown']);
  });

  it('leaves out what does not run here, and keeps what nobody could estimate', () => {
    expect(titles({ fitsHere: true })).toEqual(['Unknown', 'Quick', 'Slow', 'Pleasant']);
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
