import { describe, expect, it, vi } from 'vitest';
import type { ExportStep } from '../../../../src-preload/contract/focus.ts';
import {
  type Box,
  boxesAt,
  type Change,
  changed,
  edited,
  type History,
  keptSpans,
  redone,
  skipTo,
  UNEDITED,
  undone,
} from '../../../../src-renderer/pages/focus/review/edit-list.ts';
import { exportInput, isNothingLeft } from '../../../../src-renderer/pages/focus/review/export-input.ts';
import { madeOf, nameOf } from '../../../../src-renderer/pages/focus/review/exported-file.ts';

const cut = (fromMs: number, toMs: number): Change => ({ type: 'cut', span: { fromMs, toMs } });
const BOX: Box = { fromMs: 1_000, toMs: 2_000, x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
const cover = (box: Partial<Box> = {}): Change => ({ type: 'cover', box: { ...BOX, ...box } });
const after = (...changes: Change[]): History => changes.reduce(changed, UNEDITED);
const LONG = 10_000;
const AS = { container: 'webm', metadata: true } as const;
const pairs = (history: History) => keptSpans(history.now, LONG).map(({ fromMs, toMs }) => [fromMs, toMs]);

describe('cuts', () => {
  it('leave the pieces between them', () => {
    expect(pairs(after())).toEqual([[0, LONG]]);
    expect(pairs(after(cut(6_000, 7_000), cut(2_000, 3_000)))).toEqual([
      [0, 2_000],
      [3_000, 6_000],
      [7_000, LONG],
    ]);
  });

  it('that overlap or touch are one', () => {
    const { cuts } = after(cut(1_000, 3_000), cut(5_000, 6_000), cut(2_000, 5_000)).now;
    expect(cuts).toEqual([{ fromMs: 1_000, toMs: 6_000 }]);
  });

  it('at the ends, or beyond, leave nothing there', () => {
    expect(pairs(after(cut(0, 1_000), cut(9_000, 99_000)))).toEqual([[1_000, 9_000]]);
    expect(pairs(after(cut(0, LONG)))).toEqual([]);
  });

  it('of nothing, or backwards, are none: there is nothing to undo', () => {
    expect(after(cut(3_000, 3_000), cut(4_000, 2_000))).toBe(UNEDITED);
  });

  it('of all but a piece are one step', () => {
    const kept = after({ type: 'keep', span: { fromMs: 2_000, toMs: 4_000 }, durationMs: LONG });
    expect(pairs(kept)).toEqual([[2_000, 4_000]]);
    expect(undone(kept).now).toBe(UNEDITED.now);
  });

  it('are skipped, to where something stays', () => {
    const { now } = after(cut(1_000, 3_000));
    expect([999, 1_000, 2_999, 3_000].map((at) => skipTo(now, at))).toEqual([undefined, 3_000, 3_000, undefined]);
  });

  it('are taken back by a time within them', () => {
    const { now } = after(cut(1_000, 3_000), cut(5_000, 6_000), { type: 'restore', atMs: 2_000 });
    expect(now.cuts).toEqual([{ fromMs: 5_000, toMs: 6_000 }]);
    expect(edited(now, { type: 'restore', atMs: 2_000 })).toBe(now);
  });
});

describe('boxes', () => {
  it('are there from when to when they were drawn for', () => {
    const { now } = after(cover(), cover({ fromMs: 0, toMs: LONG }));
    expect([999, 1_000, 2_000].map((at) => boxesAt(now, at).map(({ index }) => index))).toEqual([[1], [0, 1], [1]]);
  });

  it('stay in the picture, and large enough to be seized', () => {
    const { now } = after(cover({ x: 0.9, y: -1, width: 2, height: 0 }), cover({ fromMs: 5, toMs: 5 }));
    expect(now.boxes).toEqual([{ ...BOX, x: 0, y: 0, width: 1, height: 0.01 }]);
  });

  it('that are moved on and on are one step', () => {
    const move = (x: number): Change => ({ type: 'change', index: 0, box: { ...BOX, x } });
    const moved = after(cover(), move(0.2), move(0.3), move(0.4));
    expect(moved.now.boxes[0]?.x).toBe(0.4);
    expect(undone(moved).now.boxes[0]?.x).toBe(0.1);
    const apart = changed(changed(moved, { type: 'mute', mute: true }), move(0.5));
    expect(undone(apart).now).toMatchObject({ mute: true, boxes: [{ x: 0.4 }] });
  });

  it('go away', () => {
    expect(after(cover(), cover({ x: 0.5 }), { type: 'uncover', index: 0 }).now.boxes).toEqual([{ ...BOX, x: 0.5 }]);
  });
});

describe('the history', () => {
  it('goes back and forth, and forgets what was undone once something else is done', () => {
    const two = after(cut(1_000, 2_000), { type: 'mute', mute: true });
    const one = undone(two);
    expect(redone(one)).toEqual(two);
    expect(undone(undone(one))).toEqual({ past: [], now: UNEDITED.now, future: [one.now, two.now] });
    expect(redone(changed(one, cover())).now.mute).toBe(false);
    expect(redone(two).now).toBe(two.now);
  });

  it('holds two hundred steps', () => {
    const many = Array.from({ length: 300 }, (_, at) => cut(10 * at, 10 * at + 5));
    expect(after(...many).past).toHaveLength(200);
  });
});

describe('what is exported', () => {
  it('is all of it, as it is, where nothing is left out', () => {
    expect(exportInput('id', UNEDITED.now, LONG, AS)).toEqual({ id: 'id', mute: false, ...AS });
  });

  it('has whole milliseconds, and boxes that last no shorter than they were drawn', () => {
    const { now } = after(cut(1_000.4, 2_000.6), cover({ fromMs: 100.9, toMs: 200.1 }), { type: 'mute', mute: true });
    expect(exportInput('id', now, LONG, { container: 'mp4', metadata: false })).toEqual({
      id: 'id',
      mute: true,
      container: 'mp4',
      metadata: false,
      spans: [
        { fromMs: 0, toMs: 1_000 },
        { fromMs: 2_001, toMs: LONG },
      ],
      boxes: [{ ...BOX, fromMs: 100, toMs: 201 }],
    });
  });

  it('is nothing where all is cut away, and something where it is covered', () => {
    expect(isNothingLeft(after(cut(0, LONG)).now, LONG)).toBe(true);
    expect(isNothingLeft(after(cover()).now, LONG)).toBe(false);
  });
});

describe('a file that is made', () => {
  const DONE: ExportStep = {
    type: 'done',
    path: '/made.webm',
    download: '/video/made',
    bytes: 1,
    durationMs: 1,
    hasSound: false,
    kept: [],
  };
  async function* stream(...steps: ExportStep[]) {
    yield* steps;
  }

  it('is there as soon as the stream says so, after it has told how far it is', async () => {
    const onDone = vi.fn();
    expect(await madeOf(stream({ type: 'progress', done: 0.5 }, DONE), onDone)).toEqual(DONE);
    expect(onDone.mock.calls).toEqual([[0.5]]);
  });

  it('is missed where the stream ends before it, and where it fails', async () => {
    await expect(madeOf(stream({ type: 'progress', done: 0.9 }), vi.fn())).rejects.toThrow('connection');
    const failing = (async function* (): AsyncGenerator<ExportStep> {
      yield { type: 'progress', done: 0.1 };
      throw new Error('The disk is full.');
    })();
    await expect(madeOf(failing, vi.fn())).rejects.toThrow('The disk is full.');
  });

  it('is called as its recording, unless it shall not tell the title, and ends as what it is', () => {
    const id = '0f3a91c2-77aa-4b7e-9c51-2f6d1f0e8a11';
    expect(nameOf({ id, title: 'Fix: a/tap "now"', container: 'webm', metadata: true })).toBe('Fix atap now.webm');
    expect(nameOf({ id, title: '…', container: 'mp4', metadata: true })).toBe('recording.mp4');
    expect(nameOf({ id, title: 'Fix', container: 'mp4', metadata: false })).toBe('recording-0f3a91c2.mp4');
  });
});
