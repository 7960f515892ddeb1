import { EventEmitter } from 'node:events';
import type { NoiseStream } from '@hyperswarm/secret-stream';
import { expect, it } from 'vitest';
import { PartialMessages } from '../../../../../src-main/mesh/transport/guards/partial-messages.ts';

const KIB = 1024;

function setUp(maxBytes?: number) {
  let now = 0;
  const partial = new PartialMessages(() => now, maxBytes);
  /** A connection that says what the test makes it say. */
  const connect = (place: string | undefined, most = 4 * KIB * KIB) => {
    const rawStream = new EventEmitter();
    const stream = Object.assign(new EventEmitter(), { rawStream, rawBytesRead: 0, _len: 0 });
    const ended: string[] = [];
    let parts = 0;
    partial.watch(stream as unknown as NoiseStream, {
      most: () => most,
      place: () => place,
      onPart: () => void parts++,
      onExceeded: () => void ended.push('too long'),
      onExcess: (bytes) => void ended.push(`too much: ${bytes}`),
    });
    return {
      ended,
      get parts() {
        return parts;
      },
      come: (bytes: number) => rawStream.emit('data', Buffer.alloc(bytes)),
      /** Says how long the message is that comes. */
      announce: (bytes: number) => {
        stream._len = bytes;
        rawStream.emit('data', Buffer.alloc(3));
      },
      /** The message that was coming is whole. */
      end: (bytes: number) => {
        stream.rawBytesRead++;
        rawStream.emit('data', Buffer.alloc(bytes));
      },
      close: () => stream.emit('close'),
    };
  };
  return { connect, pass: (ms: number) => (now += ms) };
}

it('a message may be as long as its sender may have it, and no longer', () => {
  const { connect } = setUp();
  const one = connect('here', 10);
  for (let count = 0; count < 5; count++) one.come(2);
  expect([one.ended, one.parts]).toEqual([[], 5]);
  one.end(2);
  one.come(10);
  expect(one.ended).toEqual([]);
  one.come(1);
  expect(one.ended).toEqual(['too long']);
});

it('a message that is said to be longer is not waited for', () => {
  const { connect } = setUp();
  const one = connect('here', 10);
  one.announce(11);
  expect(one.ended).toEqual(['too long']);
});

it('a pause between two messages is not counted as slowness of the second', () => {
  const { connect, pass } = setUp();
  const one = connect('here');
  one.come(1_000);
  one.end(500);
  pass(60_000);
  one.come(1_000);
  expect(one.ended).toEqual([]);
});

it('a message that comes a byte now and then ends its connection, and one that comes slowly does not', () => {
  const { connect, pass } = setUp();
  const [drip, slow] = [connect('here'), connect('here')];
  drip.come(100 * KIB);
  slow.come(100 * KIB);
  for (let seconds = 0; seconds < 60; seconds += 2) {
    pass(2_000);
    drip.come(1);
    slow.come(70 * KIB);
  }
  expect(drip.ended[0]).toMatch('too much');
  expect(slow.ended).toEqual([]);
});

it('where all together take too much, the fullest place loses its longest, and nobody else anything', () => {
  const { connect } = setUp(100 * KIB);
  const honest = connect('a');
  honest.come(30 * KIB);
  const hostile = Array.from({ length: 10 }, () => connect('b'));
  for (const [index, one] of hostile.entries()) one.come((8 + index) * KIB);
  expect(honest.ended).toEqual([]);
  expect(hostile.filter(({ ended }) => ended.length > 0).length).toBeGreaterThan(3);
  expect(hostile.filter(({ ended }) => ended.length === 0).length).toBeGreaterThan(3);
});

it('what became whole, or whose connection closed, takes nothing any more', () => {
  const { connect } = setUp(100 * KIB);
  const [whole, gone, next] = [connect('a'), connect('a'), connect('a')];
  whole.come(60 * KIB);
  whole.end(1);
  gone.come(60 * KIB);
  gone.close();
  next.come(90 * KIB);
  expect([whole, gone, next].flatMap(({ ended }) => ended)).toEqual([]);
});

it('who has not shown where it is takes no part in it', () => {
  const { connect } = setUp(10 * KIB);
  const strangers = Array.from({ length: 5 }, () => connect(undefined, 16 * KIB));
  for (const one of strangers) one.come(8 * KIB);
  expect(strangers.flatMap(({ ended }) => ended)).toEqual([]);
});
