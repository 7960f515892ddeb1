import type { GenerateResult } from '../../inference/backend.ts';

export function openAiUsage({ promptTokens, completionTokens, cachedTokens }: GenerateResult): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
