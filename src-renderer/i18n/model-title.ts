import { quantisationAtEnd } from '../../src-preload/contract/quantisation.ts';

/** What people read for a model that is called by a file's name. */
export interface ModelTitle {
  /** «Qwen2.5 Coder 7B» */
  title: string;
  /** «Q4_K_M», where the name ends with one. */
  quantisation?: string;
}

/** Every model that is offered for answers was taught to follow instructions: that tells none from another. */
const SAYS_NOTHING = ['instruct', 'it', 'chat', 'gguf', 'hf'];
/** What is not simply written with a capital. */
const SPELLED: Record<string, string> = {
  bge: 'BGE',
  codellama: 'CodeLlama',
  deepseek: 'DeepSeek',
  en: 'English',
  glm: 'GLM',
  gpt: 'GPT',
  minilm: 'MiniLM',
  mini: 'mini',
  moe: 'MoE',
  olmo: 'OLMo',
  oss: 'OSS',
  small: 'small',
  smollm: 'SmolLM',
  smollm2: 'SmolLM2',
  smollm3: 'SmolLM3',
  starcoder: 'StarCoder',
  tinyllama: 'TinyLlama',
};
/** «7b», «0.6b», «135m», «8x7b» */
const SIZE = /^(?:\d+x)?\d+(?:\.\d+)?[bm]$/i;
/** Two words that are one name. */
const JOINED = /\b(Phi|GPT) (\d|OSS)/g;

/** A model's name as people write it: «qwen2.5-coder-7b-instruct-q4_k_m» is «Qwen2.5 Coder 7B» in Q4_K_M. */
export function modelTitle(name: string): ModelTitle {
  const file = name.replace(/\.gguf$/i, '');
  const quantisation = quantisationAtEnd(file);
  const named = quantisation ? file.slice(0, -quantisation.length - 1) : file;
  const [first = '', ...others] = named.split(/[-_\s]+/).filter(Boolean);
  const words = [first, ...others.filter((word) => !SAYS_NOTHING.includes(word.toLowerCase()))];
  const title = words.map(spelled).join(' ').replace(JOINED, '$1-$2');
  return { title: title || name, ...(quantisation && { quantisation: quantisation.toUpperCase() }) };
}

function spelled(word: string): string {
  if (SIZE.test(word)) return word.toUpperCase().replace('X', 'x');
  if (/^v\d/.test(word) || /[A-Z]/.test(word)) return word;
  const known = Object.hasOwn(SPELLED, word) ? SPELLED[word] : undefined;
  return known ?? word.charAt(0).toUpperCase() + word.slice(1);
}
