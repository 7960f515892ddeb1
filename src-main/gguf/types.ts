/** How values of one type are stored: in blocks of `values` values and `bytes` bytes. A row is whole blocks. */
export interface TensorType {
  name: string;
  values: number;
  bytes: number;
}

/**
 * Every type that llama.cpp knows, by its number in a file. From `enum ggml_type` (ggml/include/ggml.h) and the block
 * structures of ggml/src/ggml-common.h, as of the llama.cpp that node-llama-cpp 3.22 is built from. Numbers that are
 * missing were types once and are refused by llama.cpp, too.
 */
const TYPES: Record<number, TensorType> = {
  0: { name: 'F32', values: 1, bytes: 4 },
  1: { name: 'F16', values: 1, bytes: 2 },
  2: { name: 'Q4_0', values: 32, bytes: 18 },
  3: { name: 'Q4_1', values: 32, bytes: 20 },
  6: { name: 'Q5_0', values: 32, bytes: 22 },
  7: { name: 'Q5_1', values: 32, bytes: 24 },
  8: { name: 'Q8_0', values: 32, bytes: 34 },
  9: { name: 'Q8_1', values: 32, bytes: 36 },
  10: { name: 'Q2_K', values: 256, bytes: 84 },
  11: { name: 'Q3_K', values: 256, bytes: 110 },
  12: { name: 'Q4_K', values: 256, bytes: 144 },
  13: { name: 'Q5_K', values: 256, bytes: 176 },
  14: { name: 'Q6_K', values: 256, bytes: 210 },
  15: { name: 'Q8_K', values: 256, bytes: 292 },
  16: { name: 'IQ2_XXS', values: 256, bytes: 66 },
  17: { name: 'IQ2_XS', values: 256, bytes: 74 },
  18: { name: 'IQ3_XXS', values: 256, bytes: 98 },
  19: { name: 'IQ1_S', values: 256, bytes: 50 },
  20: { name: 'IQ4_NL', values: 32, bytes: 18 },
  21: { name: 'IQ3_S', values: 256, bytes: 110 },
  22: { name: 'IQ2_S', values: 256, bytes: 82 },
  23: { name: 'IQ4_XS', values: 256, bytes: 136 },
  24: { name: 'I8', values: 1, bytes: 1 },
  25: { name: 'I16', values: 1, bytes: 2 },
  26: { name: 'I32', values: 1, bytes: 4 },
  27: { name: 'I64', values: 1, bytes: 8 },
  28: { name: 'F64', values: 1, bytes: 8 },
  29: { name: 'IQ1_M', values: 256, bytes: 56 },
  30: { name: 'BF16', values: 1, bytes: 2 },
  34: { name: 'TQ1_0', values: 256, bytes: 54 },
  35: { name: 'TQ2_0', values: 256, bytes: 66 },
  39: { name: 'MXFP4', values: 32, bytes: 17 },
  40: { name: 'NVFP4', values: 64, bytes: 36 },
  41: { name: 'Q1_0', values: 128, bytes: 18 },
  42: { name: 'Q2_0', values: 64, bytes: 18 },
};

export function tensorType(id: number): TensorType | undefined {
  return TYPES[id];
}

/** Names of `general.file_type`, by number: `enum llama_ftype` of llama.cpp’s include/llama.h. */
const FILE_TYPES: Record<number, string> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  21: 'Q2_K_S',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  26: 'IQ3_S',
  27: 'IQ3_M',
  28: 'IQ2_S',
  29: 'IQ2_M',
  30: 'IQ4_XS',
  31: 'IQ1_M',
  32: 'BF16',
  36: 'TQ1_0',
  37: 'TQ2_0',
  38: 'MXFP4',
  39: 'NVFP4',
  40: 'Q1_0',
  41: 'Q2_0',
};

export function fileTypeName(id: number): string | undefined {
  return FILE_TYPES[id];
}
