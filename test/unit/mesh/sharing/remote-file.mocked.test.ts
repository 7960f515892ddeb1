import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BLOCK_BYTES } from '../../../../src-main/mesh/sharing/file-core.ts';
import { RemoteFile } from '../../../../src-main/mesh/sharing/remote-file.ts';

/** A core that asks peers for a block only when it knows that it does not have it, as Hypercore does. */
class FakeCore extends EventEmitter {
  readonly core = { storage: { read: () => place(), write: () => place() } };
  readonly has = new Set<number>();
  fetched: Uint8Array | null = Buffer.alloc(BLOCK_BYTES);
  whileClearing: () => Promise<unknown> = async () => {};

  session(): FakeCore {
    return this;
  }
  async get(index: number): Promise<Uint8Array | null> {
    if (this.has.has(index)) return await this.core.storage.read().getBlock(index);
    if (this.fetched) this.core.storage.write().putBlock(index, Buffer.from(this.fetched));
    this.has.add(index);
    return this.fetched;
  }
  async clear(start: number, end: number): Promise<void> {
    for (let index = start; index < end; index++) this.has.delete(index);
    await this.whileClearing();
  }
  async ready(): Promise<void> {}
  async close(): Promise<void> {}
}

const place = () => ({
  getBlock: async (_: number): Promise<Uint8Array | null> => null,
  putBlock: (_index: number, _block: Uint8Array): void => {},
});

let core = new FakeCore();
vi.mock('corestore', () => ({
  default: class {
    get = () => core;
    watch = () => {};
    close = async () => {};
  },
}));

const timing = { stallMs: 1_000, peerStallMs: 1_000, lonelyMs: 1_000 };
let file: RemoteFile;
afterEach(() => file.close());

async function open(): Promise<void> {
  core = new FakeCore();
  file = new RemoteFile({
    folder: '/nowhere',
    bytes: 2 * BLOCK_BYTES,
    treeHash: '1'.repeat(64),
    timing,
    onLiar: vi.fn(),
  });
  await file.open();
}

async function read(): Promise<number> {
  let bytes = 0;
  const range = { start: 0, end: 2 * BLOCK_BYTES };
  for await (const chunk of file.read(range, new AbortController().signal)) bytes += chunk.length;
  return bytes;
}

describe('blocks that others have', () => {
  it('are not lost when one is fetched again while those that were read are forgotten', async () => {
    await open();
    core.whileClearing = () => core.get(1);
    expect(await read()).toBe(2 * BLOCK_BYTES);
    expect(await read()).toBe(2 * BLOCK_BYTES);
  });

  it('are lost, and no lie, when they are not there any more', async () => {
    await open();
    core.fetched = null;
    await expect(read()).rejects.toMatchObject({ reason: 'lost' });
  });

  it('are a lie when they have another length than the file says', async () => {
    await open();
    core.fetched = Buffer.alloc(BLOCK_BYTES - 1);
    await expect(read()).rejects.toMatchObject({ reason: 'gone' });
  });
});

describe('a file that nobody has any more', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('is lost after a while in which this process ran, whatever time it stood still', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    await open();
    core.get = () => new Promise(() => {});
    const failed = vi.fn();
    const reading = read().catch(failed);
    const tickAt = async (ms: number) => {
      now = ms;
      await vi.advanceTimersByTimeAsync(500);
    };
    await tickAt(3_600_000);
    await tickAt(3_600_500);
    expect(failed).not.toHaveBeenCalled();
    await tickAt(3_601_000);
    await reading;
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ reason: 'lost' }));
  });
});
