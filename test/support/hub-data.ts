import type { HubFileFixture, HubFixture } from './hub-server.ts';

const GB = 1e9;

/** Repositories as the Hub had them about: for tests and pictures. */
export const HUB_MODELS: HubFixture[] = [
  {
    id: 'unsloth/Qwen3-4B-Instruct-2507-GGUF',
    ...{ downloads: 512_480, likes: 214, lastModified: '2026-08-14T09:12:44.000Z' },
    tags: ['gguf', 'qwen3', 'text-generation', 'license:apache-2.0', 'region:us', 'conversational'],
    gguf: { total: 4_022_468_096, architecture: 'qwen3', context_length: 262_144 },
    files: files('Qwen3-4B-Instruct-2507', {
      Q2_K: 1.67,
      IQ4_XS: 2.27,
      Q4_K_S: 2.38,
      Q4_K_M: 2.5,
      'UD-Q4_K_XL': 2.55,
      Q5_K_M: 2.89,
      Q6_K: 3.31,
      Q8_0: 4.28,
      F16: 8.05,
    }),
  },
  {
    id: 'bartowski/Llama-3.2-3B-Instruct-GGUF',
    ...{ downloads: 231_077, likes: 187, lastModified: '2024-10-08T17:33:01.000Z' },
    tags: ['gguf', 'llama', 'license:llama3.2', 'region:us'],
    gguf: { total: 3_212_749_888, architecture: 'llama', context_length: 131_072 },
    files: files('Llama-3.2-3B-Instruct', {
      Q4_0: 1.92,
      Q4_K_M: 2.02,
      Q5_K_M: 2.32,
      Q6_K: 2.64,
      Q8_0: 3.42,
      f16: 6.43,
    }),
  },
  {
    id: 'google/gemma-3-4b-it-qat-q4_0-gguf',
    ...{ downloads: 98_211, likes: 402, lastModified: '2025-04-22T11:10:09.000Z', gated: 'manual' },
    tags: ['gguf', 'gemma3', 'license:gemma', 'region:us'],
    gguf: { total: 3_880_099_328, architecture: 'gemma3', context_length: 131_072 },
    files: [
      { path: 'gemma-3-4b-it-q4_0.gguf', bytes: 3.16 * GB },
      { path: 'mmproj-model-f16-4B.gguf', bytes: 0.85 * GB },
    ],
  },
  {
    id: 'ggml-org/gpt-oss-120b-GGUF',
    ...{ downloads: 61_900, likes: 97, lastModified: '2026-02-03T20:01:40.000Z' },
    tags: ['gguf', 'gpt-oss', 'license:apache-2.0', 'region:us'],
    gguf: { total: 116_829_156_672, architecture: 'gpt-oss', context_length: 131_072 },
    files: [1, 2, 3].map((piece) => ({
      path: `gpt-oss-120b-mxfp4-0000${piece}-of-00003.gguf`,
      bytes: Math.round(21.1 * GB),
    })),
  },
  {
    id: 'bartowski/Qwen2.5-Coder-14B-Instruct-GGUF',
    ...{ downloads: 44_303, likes: 58, lastModified: '2024-11-12T02:24:51.000Z' },
    tags: ['gguf', 'qwen2', 'license:apache-2.0', 'region:us'],
    gguf: { total: 14_770_033_664, architecture: 'qwen2', context_length: 32_768 },
    files: files('Qwen2.5-Coder-14B-Instruct', { IQ2_XS: 4.7, Q3_K_M: 7.34, Q4_K_M: 8.99, Q5_K_M: 10.5, Q8_0: 15.7 }),
  },
  {
    id: 'mradermacher/Qwen3-30B-A3B-Thinking-2507-i1-GGUF',
    ...{ downloads: 12_840, likes: 21, lastModified: '2026-07-30T08:55:13.000Z' },
    tags: ['gguf', 'qwen3moe', 'license:apache-2.0', 'region:us'],
    gguf: { total: 30_532_122_624, architecture: 'qwen3moe', context_length: 262_144 },
    files: files('Qwen3-30B-A3B-Thinking-2507.i1', { IQ2_M: 10.2, Q4_K_M: 18.6, Q6_K: 25.1 }),
  },
];

/** @param sizes GB of each quantisation */
function files(model: string, sizes: Record<string, number>): HubFileFixture[] {
  const models = Object.entries(sizes).map(([name, size]) => ({
    path: `${model}-${name}.gguf`,
    bytes: Math.round(size * GB),
  }));
  return [...models, { path: `${model}.imatrix.gguf`, bytes: 4_000_000 }];
}
