/** A file in which a source has a video. */
export interface VideoFile {
  url: string;
  /** Pixels; null where the source does not say. */
  height: number | null;
  /** Null where the source does not say. */
  bytes: number | null;
}

/** Below this much is lost for whoever describes what is seen. */
const LEAST_HEIGHT = 240;

/**
 * The least that will do: of those with 240 lines or more the smallest, by bytes where all say them and else by lines; where none has as many, the one with the most.
 * What does not say how high it is counts as high enough, and comes last.
 */
export function smallestThatWillDo<File extends VideoFile>(files: readonly File[]): File | undefined {
  const enough = files.filter(({ height }) => height === null || height >= LEAST_HEIGHT);
  if (enough.length === 0) return [...files].sort((one, other) => (other.height ?? 0) - (one.height ?? 0))[0];
  const saysBytes = enough.every(({ bytes }) => bytes !== null);
  const size = ({ bytes, height }: File) => (saysBytes ? bytes : height) ?? Number.POSITIVE_INFINITY;
  return [...enough].sort((one, other) => size(one) - size(other))[0];
}
