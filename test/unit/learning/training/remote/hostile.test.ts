import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../../../src-main/base/sha256.ts';
import type { Channel } from '../../../../../src-main/learning/training/remote/channel.ts';
import {
  CHUNK_BYTES,
  MOST_READS,
  MOST_SAMPLES_BYTES,
} from '../../../../../src-main/learning/training/remote/limits.ts';
import { ADAPTER_FILES } from '../../../../../src-main/learning/training/remote/messages.ts';
import { Nonsense } from '../../../../../src-main/learning/training/remote/nonsense.ts';
import {
  bytesToSamples,
  mostBytes,
  samplesToBytes,
} from '../../../../../src-main/learning/training/remote/sample-bytes.ts';
import { MODEL, RemoteWorld, SETTINGS, sampleOf } from '../../../../support/learning/remote-world.ts';
import { until } from '../../../../support/until.ts';

const BOUNDS = { samples: 64, tokens: 512, isTold: true };
const HASH = 'f'.repeat(64);
const OPEN = { type: 'open', session: 'a'.repeat(32), model: MODEL, settings: SETTINGS, files: [] };
const blob = (bytes: Buffer, lie: object = {}) => ({
  id: 1,
  size: bytes.length,
  sha256: sha256(bytes).toString('hex'),
  ...lie,
});

afterEach(() => void vi.useRealTimers());

/** Samples that are whole, and that nobody who has opened this training would send. */
const TOO_LONG = await samplesToBytes([sampleOf(300, 213)]);
const UNTOLD = await samplesToBytes([sampleOf(2, 2, 0)]);
const TWO = await samplesToBytes([sampleOf(2, 2, 0), sampleOf(2, 2, 0)]);
const TOLD = await samplesToBytes([sampleOf(2, 2, 1)]);

/** Somebody at the host's door who says anything. */
function caller(world: RemoteWorld) {
  const channel: Channel = world.wire.dial();
  const heard: { type: string; [key: string]: unknown }[] = [];
  let closed = false;
  channel.onMessage((message) => heard.push(message as (typeof heard)[number]));
  channel.onClose(() => {
    closed = true;
  });
  return { send: (message: object) => channel.send(message), heard, isClosed: () => closed };
}

describe('a node that trains for another one', () => {
  it.each([
    ['nothing that it knows', { type: 'shell', command: 'rm' }],
    ['no object', ['open']],
    ['a folder for a file', { ...OPEN, files: [{ name: '../../.bashrc', blob: blob(Buffer.from('x')) }] }],
    ['a file twice', { ...OPEN, files: [0, 1].map(() => ({ name: ADAPTER_FILES[0], blob: blob(Buffer.from('x')) })) }],
    ['a file without end', { ...OPEN, files: [{ name: ADAPTER_FILES[0], blob: { id: 1, size: 1e15, sha256: HASH } }] }],
    ['files without end', { ...OPEN, files: Array.from({ length: 5_000 }, () => 1) }],
    ['a rank without end', { ...OPEN, settings: { ...SETTINGS, rank: 1e9 } }],
    ['modules without end', { ...OPEN, settings: { ...SETTINGS, modules: Array(1_000).fill('q_proj') } }],
    ['samples without end', { ...OPEN, longest: 10_000 }],
    ['a path for a model', { ...OPEN, model: '/etc/passwd' }],
    ['a training of somebody else', { type: 'resume', session: 'b'.repeat(32) }],
    ['a step of nothing', { type: 'step', n: 1, rate: 1, samples: blob(Buffer.from('x')) }],
  ])('takes no %s, and hangs up', async (_, message) => {
    await using world = await RemoteWorld.open();
    const { send, heard, isClosed } = caller(world);
    send(message);
    await until(() => expect(isClosed()).toBe(true));
    expect(heard).toMatchObject([{ type: 'failure', over: true }]);
    expect(world.trainers).toEqual([]);
    expect(await world.left()).toEqual([]);
  });

  it.each([
    [
      'more samples than may be',
      [{ type: 'step', n: 1, rate: 1, samples: { id: 1, size: 100 * 1024 ** 2, sha256: HASH } }],
    ],
    ['longer samples than may be', [{ type: 'score', n: 1, sample: { id: 1, size: 100_000, sha256: HASH } }]],
    [
      'samples longer than were foretold',
      [{ type: 'step', n: 1, rate: 1, samples: blob(TOO_LONG) }, 'bytes', TOO_LONG],
    ],
    ['samples that no teacher speaks of', [{ type: 'step', n: 1, rate: 1, samples: blob(UNTOLD) }, 'bytes', UNTOLD]],
    ['a score of two', [{ type: 'score', n: 1, sample: blob(TWO) }, 'bytes', TWO]],
    ['a score with a teacher', [{ type: 'score', n: 1, sample: blob(TOLD) }, 'bytes', TOLD]],
    ['a rate that climbs', [{ type: 'step', n: 1, rate: 2, samples: blob(Buffer.from('x')) }]],
    ['a request out of order', [{ type: 'save', n: 7 }]],
    [
      'another opening',
      [
        { ...OPEN, type: 'open' },
        { type: 'step', n: 0, rate: 1, samples: blob(Buffer.from('x')) },
      ],
    ],
    ['bytes that nobody asked for', [{ type: 'bytes', blob: 1, at: 0, data: 'AAAA' }]],
    [
      'samples that are none',
      [{ type: 'step', n: 1, rate: 1, samples: blob(Buffer.alloc(40, 1)) }, 'bytes', Buffer.alloc(40, 1)],
    ],
    [
      'bytes other than promised',
      [{ type: 'step', n: 1, rate: 1, samples: blob(Buffer.alloc(40, 1)) }, 'bytes', Buffer.alloc(40, 2)],
    ],
    [
      'fewer bytes than asked for',
      [{ type: 'step', n: 1, rate: 1, samples: blob(Buffer.alloc(40, 1)) }, 'bytes', Buffer.alloc(39)],
    ],
    ['a message that is no message', [{ type: 'cancel' }]],
  ])('ends its training at %s', async (_, messages) => {
    await using world = await RemoteWorld.open();
    const { send, heard, isClosed } = caller(world);
    send(OPEN);
    await until(() => expect(heard).toMatchObject([{ type: 'opened' }]));
    for (const message of messages) {
      if (Buffer.isBuffer(message)) {
        await until(() => expect(heard.at(-1)).toMatchObject({ type: 'read', blob: 1, at: 0 }));
        send({ type: 'bytes', blob: 1, at: 0, data: message.toString('base64') });
      } else if (typeof message === 'object') send(message);
    }
    await until(() => expect(isClosed()).toBe(true));
    expect(heard.at(-1)).toMatchObject({ type: 'failure', over: true, why: { reason: 'nonsense' } });
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    expect(world.trainers).toMatchObject([{ closed: true, steps: [] }]);
    expect(await world.left()).toEqual([]);
  });

  it.each([
    ['from a place that is none', (id: number) => [{ type: 'read', blob: id, at: 1 }]],
    ['behind the end', (id: number) => [{ type: 'read', blob: id, at: 32 * CHUNK_BYTES }]],
    [
      'more than it takes',
      (id: number) => Array.from({ length: MOST_READS + 1 }, () => ({ type: 'read', blob: id, at: 0 })),
    ],
  ])('lets nobody read %s', async (_, reads) => {
    await using world = await RemoteWorld.open();
    const { send, heard, isClosed } = caller(world);
    send(OPEN);
    await until(() => expect(heard.at(-1)).toMatchObject({ type: 'opened' }));
    send({ type: 'save', n: 1 });
    await until(() => expect(heard.at(-1)).toMatchObject({ type: 'saved' }));
    const { files } = heard.at(-1) as unknown as { files: { blob: { id: number } }[] };
    for (const read of reads(files[0]?.blob.id ?? 0)) send(read);
    await until(() => expect(isClosed()).toBe(true));
    expect(heard.at(-1)).toMatchObject({ type: 'failure', why: { reason: 'nonsense' } });
  });

  it.each<[string, (world: RemoteWorld, send: (message: object) => void) => void]>([
    ['opens it over and over', (_, send) => send(OPEN)],
    ['comes back over and over', (world) => caller(world).send({ type: 'resume', session: OPEN.session })],
    ['asks over and over for what is next', (_, send) => send({ type: 'save', n: 2 })],
  ])('does not keep its place for one who %s', async (_, again) => {
    const idleMs = 60_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }); // opening may take as long as it likes
    await using world = await RemoteWorld.open({ patience: { idleMs } });
    const { send, heard } = caller(world);
    send(OPEN);
    await until(() => expect(heard).toMatchObject([{ type: 'opened' }]));
    const [trainer] = world.trainers;
    if (trainer)
      trainer.save = async (_, signal) => void (signal?.aborted || (await once(signal as AbortSignal, 'abort')));
    send({ type: 'save', n: 1 });
    for (let ms = 0; ms < 2 * idleMs; ms += 2_000) {
      again(world, send);
      await new Promise(setImmediate); // it hears that
      vi.advanceTimersByTime(2_000);
    }
    vi.useRealTimers();
    await until(() => expect(world.host.trainsFor).toBeUndefined());
    expect(trainer?.closed).toBe(true);
  });

  it('takes no adapter that is larger than the model would have', async () => {
    await using world = await RemoteWorld.open({ mostBytes: async () => 1_000_000 });
    const { send, heard, isClosed } = caller(world);
    send({ ...OPEN, files: [{ name: ADAPTER_FILES[0], blob: { id: 1, size: 1_000_001, sha256: HASH } }] });
    await until(() => expect(isClosed()).toBe(true));
    expect(heard).toMatchObject([{ type: 'failure', over: true, why: { reason: 'nonsense' } }]);
    await until(async () => expect(await world.left()).toEqual([]));
  });

  it('makes ready no more at a time than was asked for, and nothing that was taken away', async () => {
    await using world = await RemoteWorld.open();
    const { send, heard, isClosed } = caller(world);
    send(OPEN);
    await until(() => expect(heard.at(-1)).toMatchObject({ type: 'opened' }));
    send({ type: 'save', n: 1 });
    await until(() => expect(heard.at(-1)).toMatchObject({ type: 'saved' }));
    send({ type: 'save', n: 2 });
    await until(() => expect(heard.at(-1)).toMatchObject({ type: 'saved', n: 2 }));
    send({ type: 'read', blob: 1, at: 0 });
    send({ type: 'cancel', n: 2 });
    send({ type: 'save', n: 3 });
    await until(() => expect(heard.at(-1)).toMatchObject({ type: 'saved', n: 3 }));
    expect(heard.filter(({ type }) => type === 'bytes')).toEqual([]);
    expect(isClosed()).toBe(false);
  });
});

describe('a node that has another one train for it', () => {
  it.each([
    ['what nobody knows', 'opened', () => ({ type: 'shell' })],
    ['an answer to nothing', 'opened', () => ({ type: 'stepped', n: 9, figures: {} })],
    ['an answer to another question', 'stepped', () => ({ type: 'saved', n: 1, files: [] })],
    ['figures that are none', 'stepped', (said: object) => ({ ...said, figures: { loss: 'low' } })],
    ['bytes that nobody asked for', 'stepped', () => ({ type: 'bytes', blob: 1, at: 0, data: '' })],
    ['a word that does not count', 'stepped', (said: object) => ({ ...said, n: -1 })],
  ])('believes no %s, and says so', async (_, type, lie) => {
    await using world = await RemoteWorld.open();
    world.wire.between = ({ from, message }) => (from === 'host' && message.type === type ? lie(message) : message);
    const remote = world.trainer();
    const work = remote.open({ modelPath: 'm', settings: SETTINGS }).then(() => remote.step([sampleOf(2, 2)]));
    await expect(work).rejects.toMatchObject({ code: 'PROTOCOL', message: expect.stringContaining('PC') });
    await until(() => expect(world.wire.open).toBe(0));
  });

  it.each([
    ['with a name of its own', (files: { name: string }[]) => [{ ...files[0], name: '../adapter.gguf' }]],
    ['twice', (files: object[]) => [files[0], files[0]]],
    ['that has no end', (files: { blob: object }[]) => [{ ...files[0], blob: { ...files[0]?.blob, size: 1e14 } }]],
    ['that is another', (files: { blob: object }[]) => [{ ...files[0], blob: { ...files[0]?.blob, sha256: HASH } }]],
    ['other than an adapter', (files: object[]) => files.slice(1)],
  ])('takes no file %s, and writes nothing', async (_, lie) => {
    await using world = await RemoteWorld.open();
    world.wire.between = ({ message }) =>
      message.type === 'saved' ? { ...message, files: lie(message.files as never) } : message;
    const { remote } = await world.opened();
    await expect(remote.save(join(world.folder, 'saved'))).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect((await readdir(world.folder)).filter((name) => name !== 'host')).toEqual([]);
  });

  it('takes no file that is larger than an adapter of the model would be, not a byte of it', async () => {
    await using world = await RemoteWorld.open();
    const { remote } = await world.opened({ mostBytes: async () => 99_999 });
    await expect(remote.save(join(world.folder, 'saved'))).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect(world.wire.said.filter(({ from, message }) => from === 'asker' && message.type === 'read')).toEqual([]);
  });

  it('does not let its files be read from anywhere', async () => {
    await using world = await RemoteWorld.open();
    world.wire.between = ({ message }) => (message.type === 'read' ? { ...message, at: 3 } : message);
    const { remote } = await world.opened();
    await expect(remote.step([sampleOf(2, 2)])).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('shows a reason as text in one line', async () => {
    await using world = await RemoteWorld.open();
    world.against = ['\u001b[31mred\nalert'];
    await expect(world.opened()).rejects.toMatchObject({ message: 'PC has no time to train now: [31mred alert' });
  });
});

describe('samples as bytes', () => {
  it('are the same numbers again, to the last bit', async () => {
    const samples = [sampleOf(300, 200, 100), { ...sampleOf(1, 1), base: [-Number.MIN_VALUE] }];
    const { old: _, ...bare } = sampleOf(5, 4, 1);
    expect(await bytesToSamples(await samplesToBytes([...samples, bare]), BOUNDS)).toEqual([...samples, bare]);
    const scored = [{ ...bare, teacher: bare.response.map(() => ({ tokens: [], logprobs: [] })) }];
    expect(await bytesToSamples(await samplesToBytes(scored), { ...BOUNDS, isTold: false })).toEqual(scored);
  });

  it('are refused when they are too many', async () => {
    const top = { tokens: Array(256).fill(1), logprobs: Array(256).fill(-1) };
    const response = Array(24_000).fill(1);
    const sample = { prompt: [1], response, teacher: response.map(() => top) };
    await expect(samplesToBytes([sample])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('have no more bytes than bounds leave room for', async () => {
    const { old: _, ...scored } = sampleOf(3, 5, 0);
    const one = { samples: 1, tokens: 8, isTold: false };
    for (const sample of [scored, { ...scored, ...sampleOf(1, 7, 0), base: Array(7).fill(-1) }]) {
      const bytes = await samplesToBytes([sample]);
      expect(mostBytes(one)).toBeGreaterThanOrEqual(bytes.length);
      expect(mostBytes(one)).toBeLessThan(2 * bytes.length + 120);
    }
    expect(mostBytes({ ...BOUNDS, tokens: 4_096 })).toBe(MOST_SAMPLES_BYTES);
  });

  it.each([
    ['more of them', { samples: 1 }],
    ['a longer one', { tokens: 4 }],
    ['a teacher who says something', { isTold: false }],
  ])('are none with %s than were expected', async (_, bounds) => {
    const bytes = await samplesToBytes([sampleOf(3, 2, 2), sampleOf(3, 2, 2)]);
    await expect(bytesToSamples(bytes, { ...BOUNDS, ...bounds })).rejects.toBeInstanceOf(Nonsense);
  });

  it('are none when anything about them is wrong, whatever it is', async () => {
    const whole = await samplesToBytes([sampleOf(3, 2, 2)]);
    const faults: Buffer[] = [Buffer.alloc(0), Buffer.concat([whole, Buffer.from([0])])];
    for (let end = 0; end < whole.length; end++) faults.push(whole.subarray(0, end));
    for (const at of [0, 4, 8, 12]) {
      const changed = Buffer.from(whole);
      changed.writeUInt32LE(0xffffffff, at);
      faults.push(changed);
    }
    const positive = Buffer.from(whole);
    positive.writeDoubleLE(0.5, whole.length - 8);
    const infinite = Buffer.from(whole);
    infinite.writeDoubleLE(Number.NEGATIVE_INFINITY, whole.length - 8);
    const none = Buffer.from(whole);
    none.writeDoubleLE(Number.NaN, whole.length - 8);
    for (const fault of [...faults, positive, infinite, none]) {
      await expect(bytesToSamples(fault, BOUNDS)).rejects.toBeInstanceOf(Nonsense);
    }
  });
});
