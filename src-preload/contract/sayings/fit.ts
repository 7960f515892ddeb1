/** What main says about: fit. */
export const fit = {
  'fit.one': 'one request',
  'fit.several': '{{count}} requests',
  'fit.gpu': 'All of it fits the GPU ({{vram, gb}}), for {{together}} at a time.',
  'fit.partly':
    '{{gpuLayers}} of {{layers}} layers fit the GPU, the others run on the processor; for {{together}} at a time.',
  'fit.cpu': 'It runs on the processor and takes {{needed, gb}} of memory, for {{together}} at a time.',
  'fit.no': 'It needs {{needed, gb}} of memory, and {{usable, gb}} can be used here.',
} as const;
