import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  boundsFor,
  readWindowState,
  type WindowState,
  writeWindowState,
} from '../../../../src-main/desktop/shell/window-state.ts';

const STATE: WindowState = { bounds: { x: 100, y: 50, width: 1_000, height: 700 }, maximised: false };
const DISPLAY = { x: 0, y: 0, width: 1_920, height: 1_040 };
const SECOND = { x: 1_920, y: 0, width: 1_280, height: 1_024 };

const at = (x: number, y: number): WindowState => ({ ...STATE, bounds: { ...STATE.bounds, x, y } });

describe('boundsFor', () => {
  it('opens where the window was', () => {
    expect(boundsFor(STATE, [DISPLAY])).toEqual(STATE.bounds);
    expect(boundsFor(at(2_000, 10), [DISPLAY, SECOND])).toEqual({ ...STATE.bounds, x: 2_000, y: 10 });
  });

  it.each([
    ['on a display that is gone', at(2_000, 10)],
    ['with its top above the display', at(100, -40)],
    ['below the display', at(100, 1_030)],
    ['with only a sliver left', at(-950, 50)],
  ])('opens in the middle when the window was %s', (_where, state) => {
    const bounds = boundsFor(state, [DISPLAY]);
    expect(bounds).not.toHaveProperty('x');
    expect(bounds.width).toBeGreaterThan(0);
  });

  it('fits the window into a smaller display', () => {
    const large = { ...STATE, bounds: { x: 0, y: 0, width: 3_000, height: 2_000 } };
    expect(boundsFor(large, [DISPLAY])).toMatchObject({ width: DISPLAY.width, height: DISPLAY.height });
  });

  it('has a usual size the first time', () => {
    expect(boundsFor(undefined, [DISPLAY])).toEqual({ width: 1_200, height: 800 });
  });
});

describe('the file of the window', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-window-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives back what was kept, and leaves no other file', async () => {
    const path = join(folder, 'window-state.json');
    await writeWindowState(path, STATE);
    await writeWindowState(path, at(5, 5));
    expect(await readWindowState(path)).toEqual(at(5, 5));
    expect(await readdir(folder)).toEqual(['window-state.json']);
  });

  it.each(['', '{', 'null', '{"bounds":{"x":0,"y":0,"width":0,"height":1},"maximised":false}', '{"bounds":1}'])(
    'takes %j for nothing',
    async (text) => {
      const path = join(folder, 'window-state.json');
      await writeFile(path, text);
      expect(await readWindowState(path)).toBeUndefined();
    },
  );

  it('loses only the place when it cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(writeWindowState(join(folder, 'file', 'window-state.json'), STATE)).resolves.toBeUndefined();
  });
});
