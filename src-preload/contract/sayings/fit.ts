/** What main says about: fit. */
export const fit = {
  'fit.one': 'one request',
  'fit.several': '{{count}} requests',
  'fit.gpu': 'All of it fits the GPU ({{vram, bytes}}), for {{together}} at a time.',
  'fit.partly':
    '{{gpuLayers}} of {{layers}} layers fit the GPU, the others run on the processor; for {{together}} at a time.',
  'fit.cpu': 'It runs on the processor and takes {{needed, bytes}} of memory, for {{together}} at a time.',
  'fit.wouldFit': 'It should fit with {{settings}} in the settings; else choose a smaller model or quantisation.',
  'fit.withContext': 'a context of {{tokens, token|tokens}}',
  'fit.withParallel': '{{parallel, request|requests}} at a time',
  'fit.withCache': 'a cache of {{kvCache}}',
  'fit.withYarn': 'YaRN by a factor of {{factor}}',
  'fit.withLinear': 'linear scaling by a factor of {{factor}}',
  'fit.no': 'It needs {{needed, bytes}} of memory, and {{usable, bytes}} can be used here.',
} as const;
