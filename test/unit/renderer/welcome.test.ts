import { describe, expect, it } from 'vitest';
import { Format } from '../../../src-renderer/i18n/format.ts';
import { speedText } from '../../../src-renderer/pages/welcome/figures.ts';
import { choicesOf, downloadOf, suggestion } from '../../../src-renderer/pages/welcome/model/choices.ts';
import { firstStep } from '../../../src-renderer/pages/welcome/steps.ts';
import * as data from '../../support/screens/sample-data.ts';

const GB = 1_000_000_000;
const tiny = data.localModels.filter((model) => model.tiny);
const recommended = data.catalogue.map((model) => ({ ...model, installed: false }));
const names = (choices: readonly { name: string }[]) => choices.map(({ name }) => name);
const download = data.downloads[0]!;

describe('the step that the welcome opens at', () => {
  it('is the first for a newcomer', () => {
    expect(firstStep({ isFirstVisit: false, nodeName: undefined, models: [{ tiny: true }], downloads: [] })).toBe(
      'hello',
    );
  });

  it('is the first on a first visit, even with a real model here', () => {
    const found = { nodeName: 'attic', models: [{ tiny: false }], downloads: [] };
    expect(firstStep({ isFirstVisit: true, ...found })).toBe('hello');
    expect(firstStep({ isFirstVisit: false, ...found })).toBe('start');
  });

  it('is the second once the computer has a name', () => {
    expect(firstStep({ isFirstVisit: false, nodeName: 'attic', models: [{ tiny: true }], downloads: [] })).toBe(
      'hardware',
    );
  });

  it('is the model while one is on its way, even if it failed', () => {
    expect(
      firstStep({
        isFirstVisit: false,
        nodeName: undefined,
        models: [{ tiny: false }],
        downloads: [{ state: 'failed' }],
      }),
    ).toBe('model');
  });

  it('is the start once a real model is here', () => {
    expect(
      firstStep({
        isFirstVisit: false,
        nodeName: undefined,
        models: [{ tiny: false }],
        downloads: [{ state: 'done' }],
      }),
    ).toBe('start');
  });
});

describe('models to choose from', () => {
  it('are the recommended ones as ranked, then others that are here, the built-in one last', () => {
    const own = { ...data.localModels[0]!, name: 'my-own' };
    const choices = choicesOf({ recommended, local: [...tiny, own], free: undefined });
    expect(names(choices)).toEqual([...names(recommended), 'my-own', 'tiny']);
  });

  it('name a model once that is recommended and here', () => {
    const choices = choicesOf({ recommended, local: data.localModels, free: undefined });
    expect(names(choices)).toEqual([...names(recommended), 'tiny']);
    expect(choices.filter(({ installed }) => installed).map(({ name }) => name)).toEqual(names(data.localModels));
  });

  it('say which ones there is no room for; what is here needs none', () => {
    const choices = choicesOf({ recommended, local: data.localModels, free: 1 * GB });
    expect(names(choices.filter(({ tooLarge }) => tooLarge))).toEqual([
      'qwen2.5-1.5b-instruct-q4_k_m',
      'qwen2.5-14b-instruct-q4_k_m',
    ]);
  });

  it('suggest the best that there is room for', () => {
    const ranked = recommended.toReversed();
    expect(suggestion(choicesOf({ recommended: ranked, local: tiny, free: 6 * GB }), tiny)?.name).toBe(
      'qwen2.5-7b-instruct-q4_k_m',
    );
  });

  it('suggest what is in use already', () => {
    const choices = choicesOf({ recommended, local: data.localModels, free: 100 * GB });
    expect(suggestion(choices, data.localModels)?.name).toBe('qwen2.5-7b-instruct-q4_k_m');
  });

  it('suggest the built-in one where nothing else runs', () => {
    expect(suggestion(choicesOf({ recommended: [], local: tiny, free: 0 }), tiny)?.tiny).toBe(true);
  });
});

describe('the download to show', () => {
  const other = { ...download, name: 'other' };

  it('is that of the picked model', () => expect(downloadOf([download, other], 'other')?.name).toBe('other'));

  it('is any that is open when nothing was picked', () => {
    expect(downloadOf([{ ...other, state: 'done' }, download], undefined)?.name).toBe(download.name);
  });

  it('is none when all are complete', () => expect(downloadOf([{ ...other, state: 'done' }], 'other')).toBeUndefined());
});

describe('how fast a model answers', () => {
  const speed = { class: 'comfortable', tokensPerSecond: 11.2, low: 8.1, high: 14.8, measured: false } as const;
  const format = new Format('en');

  it('is a range while it is an estimate', () => expect(speedText(speed, format)).toBe('8–15'));

  it('is one figure once it was measured', () => expect(speedText({ ...speed, measured: true }, format)).toBe('11'));

  it('is about one figure where the range is no wider', () => {
    expect(speedText({ ...speed, low: 11.1, high: 11.3 }, format)).toBe('~11');
  });
});
