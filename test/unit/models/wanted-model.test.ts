import { describe, expect, it } from 'vitest';
import { modelFromUrl, shownAddress } from '../../../src-main/models/wanted-model.ts';

describe('a model at a web address', () => {
  it.each([
    ['https://x.example/a/My-Model.Q8_0.gguf', 'My-Model.Q8_0', 'https://x.example/a/My-Model.Q8_0.gguf'],
    ['https://x.example/a/m.GGUF?download=true#top', 'm', 'https://x.example/a/m.GGUF?download=true'],
    ['http://127.0.0.1:80/my%2Dmodel.gguf', 'my-model', 'http://127.0.0.1/my%2Dmodel.gguf'],
    ['https://x.example/get/model-7', 'model-7', 'https://x.example/get/model-7'],
    ['https://hf.example/me/m/blob/main/m.gguf', 'm', 'https://hf.example/me/m/resolve/main/m.gguf'],
  ])('%s is named %s', (address, name, url) => {
    expect(modelFromUrl(address)).toEqual({ name, urls: [url], typed: true });
  });

  it('takes the name that it is given', () => {
    expect(modelFromUrl('https://x.example/a b?file=1', 'mine').name).toBe('mine');
  });

  it.each([
    'https://x.example/',
    'https://x.example/%2e%2e%2fescape.gguf',
    'https://x.example/a%2Fb.gguf',
    'https://x.example/%E0%A4.gguf',
    'https://x.example/tiny.gguf',
    `https://x.example/${'a'.repeat(101)}.gguf`,
  ])('refuses the name that %s would have', (address) => {
    expect(() => modelFromUrl(address)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', field: 'name' }));
  });

  it.each(['file:///models/m.gguf', 'ftp://x.example/m.gguf', 'm.gguf', '', 'https://me:secret@x.example/m.gguf'])(
    'refuses the address «%s» and does not repeat a password',
    (address) => {
      expect(() => modelFromUrl(address)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', field: 'url' }));
      expect(() => modelFromUrl(address)).not.toThrow(/secret/);
    },
  );

  it.each(['big-Q4_K_M-00001-of-00003.gguf', 'big.gguf.part1of2', 'big%2Egguf-split-a'])(
    'is refused before any of it is fetched where it is one of several files: %s',
    (file) => {
      expect(() => modelFromUrl(`https://x.example/${file}`, 'mine')).toThrow(
        expect.objectContaining({ field: 'url', message: expect.stringMatching(/several files/) }),
      );
    },
  );

  it('is shown without anything that may be a secret', () => {
    expect(shownAddress('https://me:pw@x.example:8/m.gguf?token=t#f')).toBe('https://x.example:8/m.gguf');
    expect(shownAddress('peers')).toBe('peers');
  });
});
