import { afterEach, expect, it, vi } from 'vitest';
import { ScreenCapture } from '../../../../src-main/desktop/shell/screen-capture.ts';

const picture = (bytes: string) => ({ isEmpty: () => bytes === '', toJPEG: () => Buffer.from(bytes) });
const getSources = vi.hoisted(() => vi.fn());
vi.mock('electron', () => ({ desktopCapturer: { getSources } }));

it('offers screens and windows with small pictures, and gives what was chosen once, for a moment', async () => {
  let now = 0;
  const capture = new ScreenCapture(() => now);
  getSources.mockResolvedValue([
    { id: 'screen:0:0', name: 'Entire screen', thumbnail: picture('screen') },
    { id: 'window:7:0', name: 'Budget', thumbnail: picture('') },
  ]);
  expect(() => capture.choose('screen:0:0')).toThrow('not there any more');
  expect(await capture.sources()).toEqual([
    { id: 'screen:0:0', name: 'Entire screen', kind: 'screen', picture: 'data:image/jpeg;base64,c2NyZWVu' },
    { id: 'window:7:0', name: 'Budget', kind: 'window', picture: '' },
  ]);
  expect(capture.take()).toBeUndefined();
  capture.choose('window:7:0');
  expect(capture.take()).toMatchObject({ id: 'window:7:0', name: 'Budget' });
  expect(capture.take()).toBeUndefined();
  capture.choose('screen:0:0');
  now += 10_001;
  expect(capture.take()).toBeUndefined();
  expect(() => capture.choose('window:8:0')).toThrow('not there any more');
});

afterEach(() => vi.unstubAllEnvs());

it('tells the titles of windows, but not where each look is a question to a person', async () => {
  const capture = new ScreenCapture();
  getSources.mockResolvedValue([{ id: 'window:7:0', name: 'Budget' }]);
  vi.stubEnv('XDG_SESSION_TYPE', 'x11');
  expect(await capture.titles()).toEqual(['Budget']);
  if (process.platform !== 'linux') return;
  vi.stubEnv('XDG_SESSION_TYPE', 'wayland');
  expect(await capture.titles()).toBeNull();
});
