import type { ModelInfo } from '../backend.ts';

/**
 * The file by which others can hold a model's answers: SHA-256, 64 hex. Undefined where the file alone does not say what is computed: a coarser cache
 * and scaled positions compute something else, as far from it as another file does.
 */
export function declaredFile({
  sha256,
  kvCache = 'f16',
  rope,
}: Pick<ModelInfo, 'sha256' | 'kvCache' | 'rope'>): string | undefined {
  return kvCache === 'f16' && rope === undefined ? sha256 : undefined;
}
