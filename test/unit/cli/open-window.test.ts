import { describe, expect, it, vi } from 'vitest';
import { findWindow, type WindowSurroundings } from '../../../src-main/cli/open-window.ts';

const desk: WindowSurroundings = {
  platform: 'linux',
  env: { DISPLAY: ':0' },
  isRoot: false,
  electron: async () => '/opt/electron',
  entry: '/app/out/main/index.js',
};

describe('where the window comes from', () => {
  it('opens one where there is a display and Electron', async () => {
    expect(await findWindow(desk)).toEqual({ electron: '/opt/electron' });
    expect(await findWindow({ ...desk, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toHaveProperty('electron');
    expect(await findWindow({ ...desk, platform: 'win32', env: {} })).toHaveProperty('electron');
  });

  it('fetches nothing where there is no display', async () => {
    const electron = vi.fn(async () => '/opt/electron');
    expect(await findWindow({ ...desk, env: {}, electron })).toEqual({ reason: 'there is no display' });
    expect(electron).not.toHaveBeenCalled();
  });

  it('says what is missing', async () => {
    const nothing = async () => undefined;
    expect(await findWindow({ ...desk, electron: nothing })).toMatchObject({
      reason: expect.stringMatching(/could not be fetched/),
    });
    expect(await findWindow({ ...desk, entry: undefined })).toMatchObject({
      reason: expect.stringMatching(/npm run build/),
    });
    expect(await findWindow({ ...desk, isRoot: true })).toMatchObject({ reason: expect.stringMatching(/root/) });
  });
});
