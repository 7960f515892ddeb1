/** As llama-gguf-split names them: each has a header of its own. */
const SPLIT = /-\d{5}-of-(\d{5})\.gguf$/i;
/** Cut anywhere, for servers that take no larger files. */
const CUT = /\.gguf(?:\.part\d{1,3}of(\d{1,3})|-split-[a-z])$/i;

/**
 * Whether a file is one of several that make a model, by its name: «big-Q4_K_M-00001-of-00003.gguf», «big.gguf.part1of2»,
 * «big.gguf-split-a».
 * @returns `whole`: the path without what numbers it and without `.gguf`; `count`: how many there are at least, 1 for the only one of one.
 *   undefined for other files
 */
export function pieceIn(path: string): { whole: string; count: number } | undefined {
  const found = SPLIT.exec(path) ?? CUT.exec(path);
  return found ? { whole: path.slice(0, found.index), count: Number(found[1] ?? 2) } : undefined;
}
