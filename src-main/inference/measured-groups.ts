/** Groups that are measured: all small ones, of which each has code of its own in llama.cpp, and some larger ones. */
const GROUPS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64];

/** Those of an engine that decodes for so many at once. */
export function measuredGroups(parallel: number): number[] {
  return GROUPS.filter((group) => group <= parallel);
}
