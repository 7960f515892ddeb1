import { describe, expect, it } from 'vitest';
import { hubFiles, isSoundPath, modelNameOf } from '../../../../src-main/models/hub/quantisations.ts';

const SHA = 'ab'.repeat(32);
const lfs = (rfilename: string, size: number) => ({ rfilename, size, lfs: { sha256: SHA, size } });

describe('the model files of a repository', () => {
  it('are its quantisations, the smallest first, without what is no model', () => {
    const found = hubFiles([
      { rfilename: 'README.md', size: 900 },
      lfs('Qwen3-4B-Q8_0.gguf', 40),
      lfs('Qwen3-4B.i1-IQ3_XXS.gguf', 10),
      lfs('UD/Qwen3-4B-UD-Q4_K_XL.gguf', 25),
      lfs('Qwen3-4B-F16.gguf', 80),
      lfs('mmproj-Qwen3-4B-F16.gguf', 5),
      lfs('Qwen3-4B.imatrix.gguf', 4),
      lfs('special-edition.gguf', 30),
      { rfilename: 'no-length-Q4_0.gguf' },
    ]);
    expect(found.map(({ name, bytes }) => `${name} ${bytes}`)).toEqual([
      'IQ3_XXS 10',
      'UD-Q4_K_XL 25',
      'special-edition 30',
      'Q8_0 40',
      'F16 80',
    ]);
    expect(found[0]).toMatchObject({ path: 'Qwen3-4B.i1-IQ3_XXS.gguf', sha256: SHA, pieces: 1 });
  });

  it('count as one where they come in pieces, with the size of all and without a hash', () => {
    const pieces = [3, 1, 2].map((number) => lfs(`Q4_K_M/big-Q4_K_M-0000${number}-of-00003.gguf`, 10));
    expect(hubFiles([...pieces, lfs('big-Q2_K-00001-of-00001.gguf', 7)])).toEqual([
      { name: 'Q2_K', path: 'big-Q2_K-00001-of-00001.gguf', bytes: 7, sha256: SHA, pieces: 1 },
      { name: 'Q4_K_M', path: 'Q4_K_M/big-Q4_K_M-00001-of-00003.gguf', bytes: 30, sha256: undefined, pieces: 3 },
    ]);
  });

  it('count as one where they were cut anywhere', () => {
    const found = hubFiles([
      lfs('big.i1-Q6_K.gguf.part1of2', 10),
      lfs('big.i1-Q6_K.gguf.part2of2', 9),
      lfs('old.Q8_0.gguf-split-a', 30),
      lfs('old.Q8_0.gguf-split-b', 1),
    ]);
    expect(found.map(({ name, bytes, pieces }) => [name, bytes, pieces])).toEqual([
      ['Q6_K', 19, 2],
      ['Q8_0', 31, 2],
    ]);
  });

  it.each([
    '../../../etc/passwd.gguf',
    'a/../b.gguf',
    '/etc/x.gguf',
    'a//b.gguf',
    '.hidden.gguf',
    'a\\b.gguf',
    'a\u0000b.gguf',
    'a?b.gguf',
    'a#b.gguf',
    'a%2e%2e/b.gguf',
    'C:x.gguf',
    'a\u202eb.gguf',
    `${'a'.repeat(600)}.gguf`,
    'model.bin',
  ])('are none that are called %j', (path) => {
    expect(isSoundPath(path)).toBe(false);
    expect(hubFiles([lfs(path, 5)])).toEqual([]);
  });
});

describe('what a file is called in the library', () => {
  const free = () => false;

  it('is its own name, or the repository’s where that tells nothing', () => {
    expect(modelNameOf('a/b-GGUF', 'x/Qwen3-4B-Q4_K_M.gguf', free)).toBe('Qwen3-4B-Q4_K_M');
    expect(modelNameOf('a/Poet-3B-GGUF', 'ggml-model-q4_0.gguf', free)).toBe('Poet-3B-Q4_0');
    expect(modelNameOf('a/Poet-3B-GGUF', 'Q8_0.gguf', free)).toBe('Poet-3B-Q8_0');
    expect(modelNameOf('a/b', 'A model (v2).gguf', free)).toBe('A-model-v2-');
  });

  it('has the owner behind it where another file is called so, or where nothing may be', () => {
    expect(modelNameOf('bartowski/b', 'Qwen3.gguf', () => true)).toBe('Qwen3-bartowski');
    expect(modelNameOf('a/b', 'tiny.gguf', free)).toBe('tiny-a');
    expect(modelNameOf('a/b', `${'x'.repeat(150)}.gguf`, () => true)).toHaveLength(100);
  });
});
