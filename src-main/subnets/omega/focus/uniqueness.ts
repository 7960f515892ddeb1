import { setImmediate as breath } from 'node:timers/promises';
import type { FocusVectorStore, VectorKind } from '../../../store/focus/focus-vectors.ts';

/** Vectors that are read and compared in one go: some milliseconds, in which the node does nothing else. */
const COMPARED_TOGETHER = 100;
/** What is done to a text before: of another preprocessing, another space. */
export const PREPROCESSING = 'omega-text-1';
const MOST_CHARS = 4_000;

/** What makes vectors of texts. */
export interface TextSpace {
  /** Model, hash of its file and {@link PREPROCESSING}. */
  id: string;
  /** @returns a vector of length 1 */
  embed(text: string, signal: AbortSignal): Promise<Float32Array>;
}

/** A text among those of other recordings. */
export interface PlacedText {
  /** From 0 to 1: 1 less how near the nearest of other recordings comes to it; 1 where there is none to compare (OMEGA, B11). */
  uniqueness: number;
  /** To be kept for those that come after it. */
  vector: Float32Array;
}

/** Where a text stands among those that are kept. */
export async function placeText(
  store: Pick<FocusVectorStore, 'page'>,
  space: TextSpace,
  { recording, kind, text }: { recording: string; kind: VectorKind; text: string },
  signal: AbortSignal,
): Promise<PlacedText> {
  const vector = await space.embed(preprocessed(text), signal);
  const nearest = await nearestOf(store, { recording, kind, space: space.id }, vector, signal);
  return { uniqueness: 1 - Math.min(1, Math.max(0, nearest)), vector };
}

function preprocessed(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().slice(0, MOST_CHARS);
}

/** The largest cosine to one of another recording; 0 where there is none. */
async function nearestOf(
  store: Pick<FocusVectorStore, 'page'>,
  { recording, ...space }: { recording: string; kind: VectorKind; space: string },
  vector: Float32Array,
  signal: AbortSignal,
): Promise<number> {
  let nearest = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await store.page(space, after, COMPARED_TOGETHER);
    for (const other of page) {
      if (other.recording !== recording) nearest = Math.max(nearest, cosine(vector, other.vector));
    }
    after = page.length < COMPARED_TOGETHER ? undefined : page.at(-1)?.id;
    await breath();
    signal.throwIfAborted();
  }
  return nearest;
}

/** Of vectors of length 1. A plain loop: `reduce` takes five times as long. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
