const NAME = String.raw`(?:UD-)?i?q\d(?:_[0-9a-z]+)*|tq[12]_0|bf16|fp?16|fp?32|mxfp4(?:_moe)?`;
const AT_END = new RegExp(`[-_.](${NAME})$`, 'i');
const ANYWHERE = new RegExp(`(?:^|[-_./ ])(${NAME})(?=$|[-_./ ])`, 'gi');

/** How a model's weights are packed, where its name ends with that: of «qwen3-4b-q4_k_m» «q4_k_m», as it is written there. */
export function quantisationAtEnd(name: string): string | undefined {
  return AT_END.exec(name)?.[1];
}

/** The same of any path, in capitals; the last where there are several. @param path without `.gguf` */
export function quantisationIn(path: string): string | undefined {
  return [...path.matchAll(ANYWHERE)].at(-1)?.[1]?.toUpperCase();
}
