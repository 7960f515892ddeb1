import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../../src-main/base/token-bucket.ts';
import type { TokenLogprobs } from '../../../../src-main/inference/backend.ts';
import { chunkSchema, type InferenceMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { ChunkSender } from '../../../../src-main/mesh/serving/chunk-sender.ts';
import { DEFAULT_LIMITS } from '../../../../src-main/mesh/transport/guards/limits.ts';
import { Link, type LinkOptions } from '../../../../src-main/mesh/transport/link.ts';
import type { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { FrameDecoder } from '../../../../src-main/mesh/transport/wire.ts';

/** A link whose other end takes frames only while `takes` says so. */
function linkTo(takes: () => boolean, options: Partial<LinkOptions> = {}) {
  const decoder = new FrameDecoder(1_000);
  const arrived: unknown[] = [];
  const slow: string[] = [];
  const link = new Link({
    maxFrame: 1_000,
    limits: DEFAULT_LIMITS,
    budget: { frames: new TokenBucket(4_000, 8_000, 0), bytes: new TokenBucket(8e6, 16e6, 0) },
    now: () => 0,
    write: (bytes) => {
      for (const { value } of decoder.push(bytes)) arrived.push(value);
      return takes();
    },
    onFrame: () => {},
    onDrain: () => {},
    onOffence: () => {},
    onSlow: () => slow.push('slow'),
    ...options,
  });
  return { link, arrived, slow };
}

describe('a link', () => {
  it('keeps the order of messages, however often the connection is full', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ takes: fc.boolean(), drains: fc.boolean() })), (steps) => {
        let takes = true;
        const { link, arrived } = linkTo(() => takes);
        for (const [number, step] of steps.entries()) {
          takes = step.takes;
          link.send({ number });
          if (step.drains) link.drain();
        }
        takes = true;
        link.drain();
        expect(arrived).toEqual(steps.map((_, number) => ({ number })));
        expect(link.queuedBytes).toBe(0);
      }),
    );
  });

  it('counts what a frame that waits takes beside its bytes', () => {
    const { link, slow } = linkTo(() => false, { limits: { ...DEFAULT_LIMITS, outQueueBytes: 3_000 } });
    for (let number = 0; slow.length === 0 && number < 1_000; number++) {
      expect(link.queuedBytes).toBeGreaterThanOrEqual(256 * (number - 1));
      link.send({ number });
    }
    expect(slow).toEqual(['slow']);
  });

  it('gives up on a reader for whom too much waits, and keeps nothing', () => {
    const { link, slow } = linkTo(() => false, { limits: { ...DEFAULT_LIMITS, outQueueBytes: 100 } });
    const sent = [1, 2, 3, 4, 5, 6].map((number) => link.send({ number, text: 'x'.repeat(20) }));
    expect(sent).toEqual(Array(6).fill(false));
    expect([slow, link.queuedBytes]).toEqual([['slow'], 0]);
  });

  it('does not blame the peer for a fault of the one who handles its messages', () => {
    const offences: string[] = [];
    const { link } = linkTo(() => true, {
      onFrame: () => {
        throw new Error('ours');
      },
      onOffence: (offence) => offences.push(offence),
    });
    expect(() => link.receive(Buffer.from('\0\0\0\x02{}'))).toThrow('ours');
    expect(offences).toEqual([]);
  });
});

describe('the chunk sender', () => {
  const logprobs: TokenLogprobs[] = [{ token: 'x', bytes: [120], logprob: Number.NEGATIVE_INFINITY, top: [] }];

  /** A peer that reads the first frame and then nothing until `drain`. */
  function slowPeer() {
    const frames: InferenceMessage[] = [];
    const listeners: (() => void)[] = [];
    const peer = {
      pace: new TokenBucket(1_000, 1_000, 0),
      on: (_: string, listener: () => void) => listeners.push(listener),
      off: () => listeners.splice(0),
      send: (frame: InferenceMessage) => {
        frames.push(frame);
        return false;
      },
    };
    return {
      frames,
      peer: peer as unknown as Peer<InferenceMessage>,
      drain: () => listeners.forEach((tell) => void tell()),
    };
  }

  it('gathers what a slow reader has not taken yet into one frame', () => {
    const { frames, peer, drain } = slowPeer();
    const sender = new ChunkSender(peer, 'ab'.repeat(16), () => 0);
    for (const text of ['a', 'b', 'c']) sender.push({ type: 'chunk', text, tokens: 1 });
    drain();
    sender.push({ type: 'chunk', text: 'd', tokens: 1 });
    sender.end();
    expect(frames).toMatchObject([
      { seq: 0, text: 'a', tokens: 1 },
      { seq: 1, text: 'bc', tokens: 2 },
      { seq: 2, text: 'd', tokens: 1 },
    ]);
  });

  it('makes frames that pass the schema, whatever the engine says', () => {
    const { frames, peer } = slowPeer();
    const sender = new ChunkSender(peer, 'ab'.repeat(16), () => 0);
    for (let count = 0; count < 1_000; count++) sender.push({ type: 'chunk', text: 'x', tokens: 1, logprobs });
    sender.end();
    const parsed = frames.map((frame) => chunkSchema.parse(JSON.parse(JSON.stringify(frame))));
    expect(parsed.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(1_000);
    expect(Math.max(...parsed.map(({ tokens }) => tokens))).toBe(200);
  });
});
