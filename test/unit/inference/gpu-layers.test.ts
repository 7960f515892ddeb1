import { describe, expect, it } from 'vitest';
import { gpuLayersFrom } from '../../../src-main/inference/host/local-options.ts';

describe('GPU_LAYERS', () => {
  it.each([
    [undefined, -1],
    ['', -1],
    ['-1', -1],
    ['0', 0],
    ['20', 20],
  ])('%s means %i', (value, layers) => {
    expect(gpuLayersFrom({ GPU_LAYERS: value })).toBe(layers);
  });

  it.each(['-2', 'many', '1.5'])('%s is refused', (value) => {
    expect(() => gpuLayersFrom({ GPU_LAYERS: value })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
