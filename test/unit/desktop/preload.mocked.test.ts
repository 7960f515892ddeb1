import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const postMessage = vi.hoisted(() => vi.fn());
vi.mock('electron', () => ({
  ipcRenderer: { postMessage },
  webUtils: { getPathForFile: ({ name }: { name: string }) => (name ? `/home/ada/${name}` : '') },
}));

type Listener = (event: { source: unknown; origin: string; data: unknown; ports: unknown[] }) => void;
type Drop = (event: { dataTransfer: { files: { name: string }[] } | null }) => void;
let listener: Listener;
let drop: Drop;
const told = vi.fn();
const page = {
  location: { origin: 'quarry-app://app' },
  addEventListener: (type: 'message' | 'drop', added: Listener | Drop) => {
    if (type === 'message') listener = added as Listener;
    else drop = added as Drop;
  },
  postMessage: told,
};

beforeAll(async () => {
  vi.stubGlobal('window', page);
  await import('../../../src-preload/index.ts');
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  postMessage.mockClear();
  told.mockClear();
});

const asked = { source: page, origin: 'quarry-app://app', data: 'quarry:connect', ports: ['a port'] };

describe('the preload script', () => {
  it('hands on the one port that its page sends', () => {
    listener(asked);
    expect(postMessage).toHaveBeenCalledExactlyOnceWith('quarry:contract', null, ['a port']);
  });

  it.each([
    ['from another window', { source: {} }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['with other words', { data: 'quarry:contract' }],
    ['with a list for words', { data: ['quarry:connect'] }],
    ['without a port', { ports: [] }],
    ['with two ports', { ports: ['one', 'two'] }],
  ])('ignores a message %s', (_what, change) => {
    listener({ ...asked, ...change });
    expect(postMessage).not.toHaveBeenCalled();
  });

  it('gives the page nothing', () => {
    expect(Object.keys(page)).toEqual(['location', 'addEventListener', 'postMessage']);
    expect(told).not.toHaveBeenCalled();
  });

  it('tells its page the path of a file that is dropped on it, and nobody else', () => {
    drop({ dataTransfer: { files: [{ name: 'model.gguf' }, { name: 'other.gguf' }] } });
    expect(told).toHaveBeenCalledExactlyOnceWith({ dropped: '/home/ada/model.gguf' }, 'quarry-app://app');
    expect(postMessage).not.toHaveBeenCalled();
  });

  it('tells nothing of what is dropped and lies on no drive', () => {
    for (const dataTransfer of [null, { files: [] }, { files: [{ name: '' }] }]) drop({ dataTransfer });
    expect(told).not.toHaveBeenCalled();
  });
});
