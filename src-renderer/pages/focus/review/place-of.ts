import type { Box } from './edit-list.ts';

/** Where an area lies in a picture, as a style. */
export function placeOf({ x, y, width, height }: Pick<Box, 'x' | 'y' | 'width' | 'height'>) {
  const share = (value: number) => `${100 * value}%`;
  return { left: share(x), top: share(y), width: share(width), height: share(height) };
}
