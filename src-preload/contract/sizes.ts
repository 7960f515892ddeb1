const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** How one place writes a number, with at most so many digits after the point. */
type Write = (value: number, digits: number) => string;

const inEnglish: Write = (value, digits) => String(Number(value.toFixed(digits)));

/**
 * Bytes as Quarry tells them everywhere, in steps of 1,000 like drives and downloads: «512 B», «808 kB», «4.7 GB».
 * @param write default: as terminals and programs have it
 * @param space between number and unit
 */
export function sizeText(bytes: number, write: Write = inEnglish, space = ' '): string {
  let value = bytes;
  let step = 0;
  // What rounds to a thousand is one of the next unit.
  while (step < UNITS.length - 1 && Number(value.toFixed(digitsAt(step))) >= 1_000) {
    value /= 1_000;
    step++;
  }
  return `${write(value, digitsAt(step))}${space}${UNITS[step]}`;
}

/** Tenths matter from a megabyte on. */
function digitsAt(step: number): number {
  return step < 2 ? 0 : 1;
}

/** Bytes of the library's models, each file once. @param use `sameAs` of a model is one before it whose file it is, too */
export function modelBytes(use: { models: readonly { bytes: number; sameAs?: string | undefined }[] }): number {
  return use.models.reduce((sum, { bytes, sameAs }) => (sameAs === undefined ? sum + bytes : sum), 0);
}
