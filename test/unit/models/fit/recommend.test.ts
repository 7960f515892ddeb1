import { describe, expect, it } from 'vitest';
import { bestQuantisation, type Candidate, inOrder, recommend } from '../../../../src-main/models/fit/recommend.ts';
import { speedClass } from '../../../../src-main/models/fit/speed.ts';

interface Named extends Candidate {
  name: string;
}

const model = (name: string, parameters: number, tokensPerSecond: number, changes: Partial<Named> = {}): Named => ({
  name,
  use: 'chat',
  parameters,
  fit: {
    runs: 'cpu',
    ...{ contextSize: 4096, parallel: 4, longest: 4096 },
    memory: { weights: 0, cache: 0, overhead: 0, total: 0 },
    room: { of: 'ram', usable: 8, weights: 1, cache: 0, overhead: 0 },
    gpuLayers: 0,
    layers: 1,
    speed: { class: speedClass(tokensPerSecond), tokensPerSecond, low: 0, high: 0, measured: false },
    reason: '',
  },
  ...changes,
});

const names = (models: Named[], use: Candidate['use'] = 'chat') => recommend(models, use).map(({ name }) => name);

describe('a recommendation', () => {
  it('is the largest model that is comfortable, then the smaller ones', () => {
    const models = [model('small', 1e9, 80), model('middle', 3e9, 30), model('large', 8e9, 11), model('huge', 14e9, 5)];
    expect(names(models)).toEqual(['large', 'middle', 'small']);
  });

  it('is a slow one only where none is comfortable', () => {
    expect(names([model('a', 8e9, 4), model('b', 14e9, 3), model('c', 70e9, 1)])).toEqual(['b', 'a']);
  });

  it('is nothing where all are painful', () => expect(names([model('a', 70e9, 1)])).toEqual([]));

  it('is of the use that was asked for', () => {
    const models = [model('chat', 8e9, 40), model('code', 7e9, 40, { use: 'code' })];
    expect(names(models, 'code')).toEqual(['code']);
  });

  it('leaves out what does not fit, and what nothing is known of', () => {
    const broken = model('broken', 8e9, 40);
    const models = [
      model('unknown', 8e9, 40, { fit: null }),
      { ...broken, fit: broken.fit && { ...broken.fit, runs: 'no' as const } },
    ];
    expect(names(models)).toEqual([]);
  });

  it('names the faster of two that are equally large first, and leaves the list as it was', () => {
    const models = [model('slower', 8e9, 20), model('faster', 8e9, 25)];
    expect(names(models)).toEqual(['faster', 'slower']);
    expect(models.map(({ name }) => name)).toEqual(['slower', 'faster']);
  });
});

describe('the order of a catalogue', () => {
  const ordered = (...models: Named[]) => inOrder(models).map(({ name }) => name);
  const unfit = (one: Named): Named => ({ ...one, fit: one.fit && { ...one.fit, runs: 'no' } });

  it('has the most capable model that is pleasant here first, and what does not run last', () => {
    const models = [model('quick', 1e9, 100), model('slow', 14e9, 5), model('pleasant', 7e9, 20)];
    const unknown = model('unknown', 8e9, 1, { fit: null });
    expect(ordered(unfit(model('huge', 70e9, 1)), unknown, ...models)).toEqual([
      ...['pleasant', 'quick', 'slow', 'unknown', 'huge'],
    ]);
  });

  it('has chat first, and no embedder before what writes, however fast it is', () => {
    const embedder = model('embedder', 3e7, 900, { use: 'embedding' });
    const coder = model('coder', 32e9, 40, { use: 'code' });
    expect(ordered(embedder, coder, model('chat', 1e9, 5))).toEqual(['chat', 'coder', 'embedder']);
  });
});

describe('the quantisation to take', () => {
  const one = (bits: number, tokensPerSecond: number, changes: Partial<Named> = {}) => ({
    ...model(`${bits} bits`, 8e9, tokensPerSecond, changes),
    ...{ bits, bytes: bits * 1e9 },
  });
  const best = (...all: ReturnType<typeof one>[]) => bestQuantisation(all)?.name;
  const tight = (candidate: ReturnType<typeof one>) => ({
    ...candidate,
    fit: candidate.fit && { ...candidate.fit, room: { ...candidate.fit.room, weights: 7.5 } },
  });

  it('is the largest that runs well with room to spare, without bits that bring nothing', () => {
    expect(best(one(3, 60), one(4.5, 40), one(5.6, 30), one(8.5, 20), one(16, 12))).toBe('5.6 bits');
    expect(best(one(4.5, 40), tight(one(5.6, 30)))).toBe('4.5 bits');
  });

  it('is the smallest of large ones where there are no others', () => {
    expect(best(one(16, 12), one(8.5, 20))).toBe('8.5 bits');
  });

  it('is the smallest good one where all are slow, and none where nothing is good or runs', () => {
    expect(best(one(2.2, 9), one(4.5, 5), one(5.6, 4))).toBe('4.5 bits');
    expect(best(one(2.2, 40))).toBeUndefined();
    expect(best(one(4.5, 40, { fit: null }))).toBeUndefined();
  });

  it('is an i-quant on a graphics card, and on a processor only where there is no other', () => {
    const on = (runs: 'cpu' | 'gpu' | 'partly', name: string, bits: number, tokensPerSecond = 20) => {
      const candidate = one(bits, tokensPerSecond, { name });
      return { ...candidate, fit: candidate.fit && { ...candidate.fit, runs } };
    };
    expect(best(on('gpu', 'Q4_K_S', 4.6), on('gpu', 'IQ4_NL', 4.8))).toBe('IQ4_NL');
    expect(best(on('cpu', 'Q4_K_S', 4.6), on('cpu', 'UD-IQ4_NL', 4.8))).toBe('Q4_K_S');
    expect(best(on('partly', 'Q4_K_M', 4.9), on('partly', 'IQ4_XS', 4.4))).toBe('Q4_K_M');
    expect(best(on('cpu', 'IQ4_XS', 4.4), tight(on('cpu', 'Q4_K_M', 4.9)))).toBe('Q4_K_M');
    expect(best(on('cpu', 'IQ4_XS', 4.4), on('cpu', 'Q2_K', 3.2))).toBe('IQ4_XS');
  });
});
