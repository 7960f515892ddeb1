import { describe, expect, it } from 'vitest';
import type { TextVectors } from '../../../../src-main/clips/models/clip-models.ts';
import { LABELS } from '../../../../src-main/clips/models/labels.ts';
import { LocalCaptioner } from '../../../../src-main/clips/models/local-captioner.ts';

const never = new AbortController().signal;
const labels = ['a dog', 'a cat', ...Array.from({ length: 30 }, (_, at) => `thing ${at}`)];
/** Each label in a direction of its own. */
const vectorOf = (label: string) => Float32Array.from(labels, (one) => Number(one === label));
let times = 0;
const models = {
  texts: (texts: readonly string[]): Promise<TextVectors[]> => {
    times++;
    return Promise.resolve(texts.map((text) => ({ seen: vectorOf(text), heard: null })));
  },
};

describe('a description without a model that writes', () => {
  it('is the title, what stands out in the pictures, and what is said', async () => {
    const captioner = new LocalCaptioner({ models, labels });
    const video = Float32Array.from(labels, (label) => (label === 'a dog' ? 0.9 : label === 'a cat' ? 0.5 : 0.01));
    const about = { title: 'At\nhome', video, words: 'Come here!' };
    expect(await captioner.describe(about, never)).toBe('At home. Seen: a dog, a cat. Spoken: Come here!');
    times = 0;
    await captioner.describe({ ...about, words: null }, never);
    expect(times).toBe(0);
  });

  it('says nothing of pictures in which nothing stands out, or that nobody has looked at', async () => {
    const captioner = new LocalCaptioner({ models, labels });
    const grey = new Float32Array(labels.length).fill(0.2);
    expect(await captioner.describe({ title: 'A title', video: grey, words: null }, never)).toBe('A title.');
    expect(await captioner.describe({ title: 'Really?', video: null, words: 'no' }, never)).toBe('Really? Spoken: no.');
    const blind = new LocalCaptioner({ models: null });
    expect(await blind.describe({ title: '', video: grey, words: null }, never)).toBe('');
  });

  it('is no longer than a description may be', async () => {
    const captioner = new LocalCaptioner({ models, labels });
    const words = 'word '.repeat(10_000);
    expect(await captioner.describe({ title: 't', video: null, words }, never)).toHaveLength(20_000);
  });

  it('knows labels of which none is there twice', () => {
    expect(new Set(LABELS).size).toBe(LABELS.length);
    expect(LABELS.length).toBeGreaterThan(200);
  });
});
