import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Rectangle } from 'electron';
import { z } from 'zod';
import { writeAtomically } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';

const side = z.int().min(-100_000).max(100_000);
const stateSchema = z.object({
  bounds: z.object({ x: side, y: side, width: side.min(1), height: side.min(1) }),
  maximised: z.boolean(),
});

/** Where the window was, in device-independent pixels. */
export type WindowState = z.infer<typeof stateSchema>;

export const LEAST_SIZE = { width: 880, height: 600 };
const USUAL_SIZE = { width: 1_200, height: 800 };
/** So much of the window's top must be on a display: a person can then take it and move it. */
const GRIP = { width: 120, height: 32 };

/** What was kept; undefined where nothing usable is. */
export async function readWindowState(path: string): Promise<WindowState | undefined> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined; // it opens in the middle, as at first
  }
}

/** A failure costs the place of a window: nobody is told. */
export async function writeWindowState(path: string, state: WindowState): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await writeAtomically(path, JSON.stringify(state));
  } catch {
    // it opens in the middle next time
  }
}

/** Where to open: as kept, if it can be reached on the displays that are there now, else in the middle. */
export function boundsFor(kept: WindowState | undefined, workAreas: readonly Rectangle[]): Partial<Rectangle> {
  const bounds = kept?.bounds;
  const area = bounds && workAreas.find((candidate) => isReachable(bounds, candidate));
  if (!bounds || !area) return USUAL_SIZE;
  return {
    ...bounds,
    width: Math.max(LEAST_SIZE.width, Math.min(bounds.width, area.width)),
    height: Math.max(LEAST_SIZE.height, Math.min(bounds.height, area.height)),
  };
}

function isReachable(bounds: Rectangle, area: Rectangle): boolean {
  const shared = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const isTopInside = bounds.y >= area.y && bounds.y + GRIP.height <= area.y + area.height;
  return shared >= GRIP.width && isTopInside;
}
