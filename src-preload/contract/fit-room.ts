import type { ModelFit } from './models.ts';

/** From this share of the memory on, a game or a browser more makes it slow. */
const TIGHT = 0.9;

export function isTight({ room }: ModelFit): boolean {
  return neededOf(room) >= TIGHT * room.usable;
}

/** Bytes that a model takes where memory is scarcest. */
export function neededOf({ weights, cache, overhead }: ModelFit['room']): number {
  return weights + cache + overhead;
}
