/** Tokens without text that an honest answer may have: end markers and the like. */
export const SILENT_TOKENS = 16;

/**
 * The tokens that may be in an answer of so many bytes, whatever its worker counts. A client believes no more, so a worker tells and bills no
 * more: servers that think before they answer count what they do not show, and so does an engine whose stop text swallows some.
 */
export function mostTokens(bytes: number, maxTokens: number): number {
  return Math.min(maxTokens, bytes + SILENT_TOKENS);
}
