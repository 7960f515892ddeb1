import { EventEmitter } from 'node:events';
import type { CommandLine, Session, WebContents } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { debuggingSwitch } from '../../../../src-main/desktop/command-line.ts';
import { guardContents, guardSession, outsideAddress } from '../../../../src-main/desktop/guards/page-guards.ts';

const openExternal = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('electron', () => ({ shell: { openExternal } }));

beforeEach(() => openExternal.mockClear());

class FakeContents extends EventEmitter {
  opener: ((details: { url: string }) => { action: string }) | undefined;

  setWindowOpenHandler(opener: typeof this.opener): void {
    this.opener = opener;
  }

  /** Whether the event goes through. */
  allows(name: string, url: string): boolean {
    const event = { url, preventDefault: vi.fn() };
    this.emit(name, event);
    return event.preventDefault.mock.calls.length === 0;
  }
}

function guarded(): FakeContents {
  const contents = new FakeContents();
  guardContents(contents as unknown as WebContents);
  return contents;
}

describe('guardContents', () => {
  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('lets %s lead to its own pages only', (name) => {
    const contents = guarded();
    expect(contents.allows(name, 'quarry-app://app/#/models')).toBe(true);
    for (const url of [
      'https://github.com/',
      'file:///etc/passwd',
      'quarry-app://other/',
      'javascript:alert(1)',
      'x',
    ]) {
      expect(contents.allows(name, url), url).toBe(false);
    }
  });

  it('opens no window, and only the places of the list in the browser', () => {
    const contents = guarded();
    for (const url of [
      'https://huggingface.co/Qwen',
      'https://example.org/',
      'file:///etc/passwd',
      'quarry-app://app/',
    ]) {
      expect(contents.opener?.({ url })).toEqual({ action: 'deny' });
    }
    expect(openExternal.mock.calls).toEqual([['https://huggingface.co/Qwen']]);
  });

  it('embeds no webview', () => {
    expect(guarded().allows('will-attach-webview', '')).toBe(false);
  });
});

describe('outsideAddress', () => {
  it.each([
    'http://github.com/',
    'https://github.com.evil.org/',
    'https://github.com@evil.org/',
    'https://user:pw@github.com/',
    'https://github.com:444/',
    'https://githubbcom/',
    `https://github.com/${'a'.repeat(2_000)}`,
    'not an address',
  ])('refuses %s', (url) => {
    expect(outsideAddress(url)).toBeUndefined();
  });
});

function saves(session: EventEmitter, url: string): boolean {
  const event = { preventDefault: vi.fn() };
  session.emit('will-download', event, { getURL: () => url });
  return event.preventDefault.mock.calls.length === 0;
}

describe('guardSession', () => {
  function guardedSession(chosen: () => { id: string; name: string } | undefined = () => undefined) {
    const set = new Map<string, (...args: never[]) => unknown>();
    const keep = (name: string) => (handler: (...args: never[]) => unknown) => void set.set(name, handler);
    const events = new EventEmitter();
    guardSession(
      {
        setPermissionRequestHandler: keep('request'),
        setPermissionCheckHandler: keep('check'),
        setDevicePermissionHandler: keep('device'),
        setDisplayMediaRequestHandler: keep('display'),
        setUSBProtectedClassesHandler: keep('usb'),
        webRequest: { onBeforeRequest: keep('network') },
        on: events.on.bind(events),
      } as unknown as Session,
      chosen,
    );
    const call = (name: string, ...args: unknown[]) => set.get(name)?.(...(args as never[]));
    const asks = (permission: string, details: object) => {
      const answer = vi.fn();
      call('request', null, permission, answer, details);
      return answer.mock.calls[0]?.[0];
    };
    return { call, asks, events };
  }

  const PAGE = 'quarry-app://app/#/focus';
  const OWN = { requestingUrl: PAGE, isMainFrame: true };

  it('denies every permission but to put text on the clipboard, and to record', () => {
    const { call, asks } = guardedSession();
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'unknown']) {
      expect(asks(permission, OWN), permission).toBe(false);
      expect(call('check', null, permission, PAGE, OWN), permission).toBe(false);
    }
    expect(call('check', null, 'clipboard-sanitized-write', PAGE, OWN)).toBe(true);
  });

  it('lets its own page record the screen and the microphone, and nobody use a camera', () => {
    const { call, asks } = guardedSession();
    expect(asks('display-capture', OWN)).toBe(true);
    expect(asks('media', { ...OWN, mediaTypes: ['audio'] })).toBe(true);
    expect(asks('media', { ...OWN, mediaTypes: ['audio', 'video'] })).toBe(false);
    expect(call('check', null, 'media', PAGE, { isMainFrame: true, mediaType: 'audio' })).toBe(true);
    expect(call('check', null, 'media', PAGE, { isMainFrame: true, mediaType: 'video' })).toBe(false);
    for (const other of [
      { ...OWN, isMainFrame: false },
      { ...OWN, requestingUrl: 'https://example.org/' },
    ]) {
      expect(asks('display-capture', other)).toBe(false);
      expect(asks('media', { ...other, mediaTypes: ['audio'] })).toBe(false);
    }
  });

  it('shares what somebody chose with its own page, at a click, and denies devices', async () => {
    let chosen: { id: string; name: string } | undefined = { id: 'window:7:0', name: 'Budget' };
    const { call } = guardedSession(() => chosen);
    const frame = { url: PAGE, top: undefined as unknown };
    frame.top = frame;
    const shares = async (request: object) => {
      const { promise, resolve } = Promise.withResolvers();
      call('display', { frame, userGesture: true, audioRequested: false, ...request }, resolve);
      return await promise;
    };
    expect(await shares({})).toEqual({ video: { id: 'window:7:0', name: 'Budget' } });
    const framed = { url: PAGE, top: frame };
    const foreign = { url: 'https://example.org/', top: undefined as unknown };
    foreign.top = foreign;
    for (const request of [{ userGesture: false }, { frame: null }, { frame: framed }, { frame: foreign }]) {
      expect(await shares(request)).toBeNull(); // an empty object would throw in main
    }
    chosen = undefined;
    expect(await shares({})).toBeNull();
    expect(call('device', {})).toBe(false);
  });

  it('lets pages load nothing from the network or the disk, and download nothing', () => {
    const { call, events } = guardedSession();
    const isCancelled = (url: string) => {
      const answer = vi.fn();
      call('network', { url }, answer);
      return answer.mock.calls[0]?.[0].cancel;
    };
    for (const url of ['https://huggingface.co/', 'http://127.0.0.1:7070/', 'ws://127.0.0.1/', 'file:///etc/passwd']) {
      expect(isCancelled(url), url).toBe(true);
    }
    expect(isCancelled('quarry-app://app/assets/index.js')).toBe(false);
    expect(saves(events, 'https://huggingface.co/a.gguf')).toBe(false);
    expect(saves(events, 'blob:https://huggingface.co/1234')).toBe(false);
  });

  it('lets a page save what it made itself', () => {
    expect(saves(guardedSession().events, 'blob:quarry-app://app/1234')).toBe(true);
  });
});

describe('debuggingSwitch', () => {
  it('knows the switches that open main or the pages to others', () => {
    const line = (...names: string[]): Pick<CommandLine, 'hasSwitch'> => ({
      hasSwitch: (name) => names.includes(name),
    });
    for (const name of ['remote-debugging-port', 'remote-debugging-pipe', 'inspect', 'inspect-brk']) {
      expect(debuggingSwitch(line('headless', name))).toBe(name);
    }
    expect(debuggingSwitch(line('headless'))).toBeUndefined();
  });
});
