import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const postMessage = vi.hoisted(() => vi.fn());
vi.mock('electron', () => ({ ipcRenderer: { postMessage } }));

type Listener = (event: { source: unknown; origin: string; data: unknown; ports: unknown[] }) => void;
let listener: Listener;
const page = {
  location: { origin: 'quarry-app://app' },
  addEventListener: (_type: 'message', added: Listener) => {
    listener = added;
  },
};

beforeAll(async () => {
  vi.stubGlobal('window', page);
  await import('../../../src-preload/index.ts');
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => postMessage.mockClear());

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
    expect(Object.keys(page)).toEqual(['location', 'addEventListener']);
  });
});
