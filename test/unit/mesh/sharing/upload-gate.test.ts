import { EventEmitter } from 'node:events';
import type Hypercore from 'hypercore';
import type { CorePeer } from 'hypercore';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BLOCK_BYTES } from '../../../../src-main/mesh/sharing/file-core.ts';
import { UploadGate } from '../../../../src-main/mesh/sharing/upload-gate.ts';

/** The other end of a replication, as far as the gate sees it. */
class FakePeer {
  readonly answered: number[] = [];
  readonly protomux = { drained: true, destroy: vi.fn() };
  readonly inflight = 0;
  hold: Promise<void> = Promise.resolve();

  async onrequest({ id }: { id: number }): Promise<void> {
    this.answered.push(id);
    await this.hold;
  }
  oncancel(): void {}
  async ondrain(): Promise<void> {}

  ask(from: number, to: number): void {
    for (let id = from; id < to; id++) void this.onrequest({ id, block: { index: id } } as { id: number });
  }
}

let gate: UploadGate;
let core: EventEmitter;
beforeEach(() => {
  vi.useFakeTimers();
  core = new EventEmitter();
});
afterEach(() => {
  gate.close();
  vi.useRealTimers();
});

function open(bytesPerSecond: number | null, peers = 1): FakePeer[] {
  gate = new UploadGate(bytesPerSecond);
  gate.guard(core as unknown as Hypercore);
  return Array.from({ length: peers }, () => {
    const peer = new FakePeer();
    core.emit('peer-add', peer as unknown as CorePeer);
    return peer;
  });
}

describe('blocks go out', () => {
  it('at once without a cap', async () => {
    const [peer] = open(null);
    peer!.ask(0, 10);
    expect(peer!.answered).toHaveLength(10);
  });

  it('as fast as the cap and no faster, in turn among peers', async () => {
    const [one, two] = open(10 * BLOCK_BYTES, 2);
    one!.ask(0, 200);
    two!.ask(0, 200);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(one!.answered.length + two!.answered.length).toBeGreaterThan(95);
    expect(one!.answered.length + two!.answered.length).toBeLessThan(105);
    expect(Math.abs(one!.answered.length - two!.answered.length)).toBeLessThan(2);
  });

  it('under another cap as soon as there is one', async () => {
    const [peer] = open(BLOCK_BYTES);
    peer!.ask(0, 400);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(peer!.answered.length).toBeLessThan(13);
    gate.limit(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(peer!.answered).toHaveLength(400);
    gate.limit(10 * BLOCK_BYTES); // what went out freely is not held against it
    expect(gate.bytesPerSecond).toBe(10 * BLOCK_BYTES);
    peer!.ask(400, 600);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(peer!.answered.length).toBeGreaterThan(495);
    expect(peer!.answered.length).toBeLessThan(505);
  });

  it('a few at a time, and not to who does not read', async () => {
    const [peer] = open(null);
    const held = Promise.withResolvers<void>();
    peer!.hold = held.promise;
    peer!.ask(0, 100);
    expect(peer!.answered).toHaveLength(16);
    peer!.protomux.drained = false;
    held.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(peer!.answered).toHaveLength(16);
    peer!.protomux.drained = true;
    await peer!.ondrain();
    await vi.advanceTimersByTimeAsync(0);
    expect(peer!.answered).toHaveLength(100);
  });

  it('not when the request was cancelled, or the peer left, or the gate closed', async () => {
    const [peer, gone] = open(BLOCK_BYTES, 2);
    peer!.ask(0, 3);
    (peer as unknown as CorePeer).oncancel({ request: 1 });
    core.emit('peer-remove', gone);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(peer!.answered).toEqual([0, 2]);
    peer!.ask(5, 10);
    gate.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(peer!.answered.length).toBeLessThan(5);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('to nobody who asks for more than an honest node ever would', () => {
    const [peer] = open(1);
    peer!.ask(0, 1_027);
    expect(peer!.protomux.destroy).toHaveBeenCalled();
  });
});
