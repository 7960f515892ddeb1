import { EventEmitter, on } from 'node:events';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Booking } from '../../../../src-main/credits/credits.ts';
import type { Receipt } from '../../../../src-main/credits/receipt.ts';
import { glanceAt, type ShownHost, type ShownNode } from '../../../../src-main/desktop/shell/node-glance.ts';
import { NodeWatch } from '../../../../src-main/desktop/shell/node-watch.ts';
import { Notifier } from '../../../../src-main/desktop/shell/notifier.ts';
import { textsFor } from '../../../../src-main/desktop/shell/texts.ts';
import { TrayIcon } from '../../../../src-main/desktop/shell/tray.ts';
import { MeshWork } from '../../../../src-main/mining/mesh-work.ts';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';
import { until } from '../../../support/until.ts';

const seen = vi.hoisted(() => ({ trays: [] as FakeTray[], notes: [] as FakeNote[], locale: 'en' }));

interface FakeTray {
  image: string;
  toolTip: string;
  menu: MenuItemConstructorOptions[];
  destroyed: boolean;
}
interface FakeNote extends EventEmitter {
  title: string;
  body: string;
}

vi.mock('electron', async () => {
  const { EventEmitter } = await import('node:events');
  return {
    app: { getLocale: () => seen.locale },
    nativeImage: { createFromPath: (path: string) => ({ path, setTemplateImage: () => undefined }) },
    Menu: { buildFromTemplate: (items: MenuItemConstructorOptions[]) => items },
    Tray: class extends EventEmitter {
      view: FakeTray = { image: '', toolTip: '', menu: [], destroyed: false };
      constructor() {
        super();
        seen.trays.push(this.view);
      }
      setImage = ({ path }: { path: string }) => Object.assign(this.view, { image: path });
      setToolTip = (toolTip: string) => Object.assign(this.view, { toolTip });
      setContextMenu = (menu: MenuItemConstructorOptions[]) => Object.assign(this.view, { menu });
      destroy = () => Object.assign(this.view, { destroyed: true });
    },
    Notification: class extends EventEmitter {
      static isSupported = () => true;
      constructor({ title, body }: { title: string; body: string }) {
        super();
        Object.assign(this, { title, body });
      }
      show = () => seen.notes.push(this as unknown as FakeNote);
      close = () => undefined;
    },
  };
});

const download = (name: string, state: Download['state']): Download => ({
  ...{ name, state, bytes: null, received: 0, bytesPerSecond: 0, secondsLeft: null, nextTryAt: null },
  ...{ sources: [], problem: null },
});

/** As much of a node as is shown outside the window. */
function fakeNode() {
  const mining = { state: 'stopped', error: undefined as { message: string } | undefined };
  const listeners = new Set<() => void>();
  const stream = new EventEmitter();
  const downloads = {
    list: vi.fn((): Download[] => []),
    pause: vi.fn(async (name: string) => download(name, 'paused')),
    async *watch(signal: AbortSignal) {
      try {
        for await (const [list] of on(stream, 'downloads', { signal })) yield list;
      } catch {
        // closed
      }
    },
  };
  const become = (state: string) => {
    mining.state = state;
    for (const listener of listeners) listener();
  };
  const policy = { mode: 'full', reasons: [] as { text: string }[] };
  const engine = { state: 'ready', error: undefined as string | undefined };
  const work = new MeshWork();
  const recorder: { live: ShownNode['focus']['recorder']['live'] } = { live: null };
  const node: ShownNode = {
    node: { read: () => ({ engine, mining, policy }) as ReturnType<ShownNode['node']['read']> },
    mining: {
      switch: {
        start: vi.fn(async () => become('running')),
        stop: vi.fn(async () => become('stopped')),
        subscribe: (listener: () => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      work,
    },
    models: { downloads },
    credits: { summary: async () => ({ earnedToday: 1_234 }) },
    focus: { recorder, commands: { send: vi.fn() } },
  };
  return { node, recorder, mining, listeners, downloads, stream, policy, engine, work, become };
}

class FakeHost extends EventEmitter implements ShownHost {
  app: ShownNode | undefined;

  constructor(app?: ShownNode) {
    super();
    this.app = app;
  }
}

const closing: { close(): void }[] = [];
beforeEach(() => {
  seen.trays.length = 0;
  seen.notes.length = 0;
  seen.locale = 'en';
});
afterEach(() => {
  for (const one of closing.splice(0)) one.close();
});

function opened(app?: ShownNode) {
  const host = new FakeHost(app);
  const watch = new NodeWatch(host);
  const texts = () => textsFor('system');
  const onOpen = vi.fn();
  const onQuit = vi.fn();
  const onClick = vi.fn();
  const tray = new TrayIcon({ host, watch, texts, onOpen, onQuit });
  const wanted = { notifications: true };
  const notifier = new Notifier({ watch, texts, enabled: () => wanted.notifications, onClick });
  closing.push(notifier, tray, watch);
  watch.open();
  tray.open();
  notifier.open();
  const item = (id: string) => seen.trays[0]?.menu.find((candidate) => candidate.id === id);
  const click = (id: string) => (item(id)?.click as (() => void) | undefined)?.();
  return { host, watch, tray, onOpen, onQuit, onClick, wanted, item, click };
}

describe('the glance at a node', () => {
  it('tells mining, pause, stop and trouble apart', () => {
    const { node, mining, policy, engine } = fakeNode();
    expect(glanceAt(undefined).state).toBe('starting');
    expect(glanceAt(undefined, 'The port is taken.')).toMatchObject({
      state: 'trouble',
      reasons: ['The port is taken.'],
    });
    expect(glanceAt(node)).toMatchObject({ state: 'stopped', mining: 'start' });
    mining.state = 'running';
    expect(glanceAt(node)).toMatchObject({ state: 'mining', mining: 'stop' });
    Object.assign(policy, { mode: 'paused', reasons: [{ text: 'It is hot.' }] });
    expect(glanceAt(node)).toMatchObject({ state: 'paused', reasons: ['It is hot.'] });
    Object.assign(engine, { state: 'broken', error: 'It crashed.' });
    expect(glanceAt(node)).toMatchObject({ state: 'trouble', reasons: ['It crashed.'] });
  });

  it('calls a start that failed trouble', () => {
    const { node, mining } = fakeNode();
    mining.error = { message: 'The model does not fit.' };
    expect(glanceAt(node)).toMatchObject({ state: 'trouble', reasons: ['The model does not fit.'], mining: 'start' });
  });

  it('offers no mining where a node does none', () => {
    const { node } = fakeNode();
    expect(glanceAt({ ...node, node: { read: () => ({ ...node.node.read(), mining: undefined }) } })).toMatchObject({
      state: 'stopped',
      mining: undefined,
    });
  });
});

describe('TrayIcon', () => {
  it('shows the state, starts and stops mining', async () => {
    const { node } = fakeNode();
    const { click, item } = opened(node);
    expect(seen.trays[0]?.image).toMatch(/stopped(Template)?\.png$/);
    click('start');
    await until(() => expect(seen.trays[0]?.image).toMatch(/mining(Template)?\.png$/));
    expect(item('start')).toBeUndefined();
    click('stop');
    await until(() => expect(item('start')).toBeDefined());
  });

  it('says what is recorded and for how long, and has the page that records pause, go on and finish', () => {
    const { node, recorder } = fakeNode();
    const { watch, click, item } = opened(node);
    expect(item('recording')).toBeUndefined();
    recorder.live = { paused: false, recording: { title: 'Mend the budget', activeMs: 1_122_000 } };
    watch.look();
    expect(item('recording')).toMatchObject({ label: 'Recording «Mend the budget», 18 min', enabled: false });
    expect(seen.trays[0]?.toolTip).toBe('Quarry · not mining · Recording «Mend the budget», 18 min');
    click('pause-recording');
    expect(node.focus.commands.send).toHaveBeenLastCalledWith({ command: 'pause' });
    recorder.live = { ...recorder.live, paused: true };
    watch.look();
    expect(item('recording')?.label).toBe('Recording «Mend the budget» is paused, 18 min');
    click('resume-recording');
    expect(node.focus.commands.send).toHaveBeenLastCalledWith({ command: 'resume' });
    click('finish-recording');
    expect(node.focus.commands.send).toHaveBeenLastCalledWith({ command: 'finish' });
    recorder.live = null;
    watch.look();
    expect(item('finish-recording')).toBeUndefined();
  });

  it('says today’s points as people write them, in their language', async () => {
    const { node } = fakeNode();
    seen.locale = 'de-AT';
    opened(node);
    await until(() => expect(seen.trays[0]?.menu[1]?.label).toBe('Heute 1.234 Punkte'));
  });

  it('says in the language of the system why the node is paused', async () => {
    const { node, policy, become } = fakeNode();
    seen.locale = 'de-AT';
    const { watch } = opened(node);
    const hot = told({ text: say('policy.heat.met', { degrees: 91.5, heatAbove: 85 }) });
    Object.assign(policy, { mode: 'paused', reasons: [hot, told({ text: say('policy.battery.met') })] });
    become('running');
    watch.look();
    const why = 'Es ist zu heiß: 91,5 °C (Grenze 85 °C). Der Rechner läuft mit Akku.';
    expect(seen.trays[0]?.toolTip).toBe(`Quarry · pausiert · ${why}`);
  });

  it('pauses what is being downloaded', () => {
    const { node, downloads } = fakeNode();
    downloads.list.mockReturnValue([download('a', 'downloading'), download('b', 'done'), download('c', 'waiting')]);
    const { click, item } = opened(node);
    expect(item('pause-downloads')?.enabled).toBe(true);
    click('pause-downloads');
    expect(downloads.pause.mock.calls).toEqual([['a'], ['c']]);
  });

  it('opens the window and quits', () => {
    const { click, onOpen, onQuit } = opened(fakeNode().node);
    click('open');
    click('quit');
    expect(onOpen).toHaveBeenCalledOnce();
    expect(onQuit).toHaveBeenCalledOnce();
  });

  it('follows the node through a restart, and lets go of the one before', () => {
    const before = fakeNode();
    const after = fakeNode();
    after.mining.state = 'running';
    const { host } = opened(before.node);
    host.app = undefined;
    host.emit('close', before.node);
    expect(before.listeners.size).toBe(0);
    host.app = after.node;
    host.emit('open', after.node);
    expect(seen.trays[0]?.toolTip).toBe('Quarry · mining');
  });

  it('is gone when closed, and leaves nothing behind', () => {
    const { node, listeners, work } = fakeNode();
    const { tray, watch } = opened(node);
    tray.close();
    watch.close();
    expect(seen.trays[0]?.destroyed).toBe(true);
    expect(listeners.size).toBe(0);
    expect(work.listenerCount('booked')).toBe(0);
  });
});

describe('Notifier', () => {
  it('tells of achievements, and shows more at a click', () => {
    const { node, work } = fakeNode();
    const { onClick } = opened(node);
    work.emit('booked', {} as Receipt, { points: 5, achievements: ['first-light', 'unknown-here'] } as Booking);
    expect(seen.notes.map(({ title, body }) => [title, body])).toEqual([
      ['Achievement: First Light', 'It brings 5 points.'],
    ]);
    seen.notes[0]?.emit('click');
    expect(onClick).toHaveBeenCalledWith('/#/');
  });

  it('tells of them in German to a German system', () => {
    seen.locale = 'de-DE';
    const { node, work } = fakeNode();
    opened(node);
    work.emit('booked', {} as Receipt, { points: 5, achievements: ['first-light'] } as Booking);
    expect(seen.notes.map(({ title }) => title)).toEqual(['Erfolg: Erstes Licht']);
  });

  it('tells of downloads that end while it looks, not of old ones', async () => {
    const { node, stream } = fakeNode();
    opened(node);
    await until(() => expect(stream.listenerCount('downloads')).toBe(1));
    const problem = { code: 'DISK_FULL', message: 'The disk is full.' };
    stream.emit('downloads', [{ name: 'old', state: 'done' }]);
    stream.emit('downloads', [
      { name: 'old', state: 'done' },
      { name: 'a', state: 'downloading' },
    ]);
    stream.emit('downloads', [
      { name: 'old', state: 'done' },
      { name: 'a', state: 'done' },
    ]);
    stream.emit('downloads', [{ name: 'b', state: 'failed', problem }]);
    await until(() => expect(seen.notes).toHaveLength(2));
    expect(seen.notes.map(({ title, body }) => [title, body])).toEqual([
      ['a is here', 'The model is downloaded and checked.'],
      ['b could not be downloaded', 'The disk is full.'],
    ]);
  });

  it('tells of trouble once', () => {
    const { watch } = opened();
    watch.fail('The port 7070 is taken.');
    watch.fail('The port 7070 is taken by others.');
    expect(seen.notes.map(({ body }) => body)).toEqual(['The port 7070 is taken.']);
  });

  it('tells of it in the language of the system, and of free text as it is', () => {
    seen.locale = 'de';
    opened().watch.fail(say('settings.portInUse', { port: '7070', host: '127.0.0.1' }));
    opened().watch.fail('EADDRNOTAVAIL');
    expect(seen.notes.map(({ title, body }) => [title, body])).toEqual([
      ['Quarry braucht Hilfe', 'Port 7070 auf 127.0.0.1 ist belegt.'],
      ['Quarry braucht Hilfe', 'EADDRNOTAVAIL'],
    ]);
  });

  it('tells why a download failed in the language of the system', async () => {
    const { node, stream } = fakeNode();
    seen.locale = 'de';
    opened(node);
    await until(() => expect(stream.listenerCount('downloads')).toBe(1));
    const problem = { code: 'DISK_FULL', ...told({ message: say('download.diskFull', { folder: '/m' }) }) };
    stream.emit('downloads', []);
    stream.emit('downloads', [{ name: 'b', state: 'failed', problem }]);
    await until(() => expect(seen.notes).toHaveLength(1));
    expect(seen.notes[0]?.title).toBe('b konnte nicht geladen werden');
    expect(seen.notes[0]?.body).toBe('Das Laufwerk mit /m ist voll.');
  });

  it('keeps quiet where people want that', () => {
    const { watch, wanted } = opened();
    wanted.notifications = false;
    watch.fail('The port 7070 is taken.');
    expect(seen.notes).toEqual([]);
  });
});
