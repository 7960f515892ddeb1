import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Connection } from '../../../../src-main/mesh/transport/connection.ts';
import { PeerBudgets } from '../../../../src-main/mesh/transport/guards/budgets.ts';
import { DEFAULT_LIMITS } from '../../../../src-main/mesh/transport/guards/limits.ts';
import { Link } from '../../../../src-main/mesh/transport/link.ts';
import type { Hello } from '../../../../src-main/mesh/transport/messages.ts';
import { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { encodeFrame, FrameDecoder } from '../../../../src-main/mesh/transport/wire.ts';

const MAX_FRAME = 2_000_000;

/** A peer whose frames come over a real link; what it is sent waits while it does not `read`. */
function connect() {
  const clock = { now: 0 };
  const budget = new PeerBudgets(DEFAULT_LIMITS, () => clock.now).of('x');
  const offences: string[] = [];
  const sent: unknown[] = [];
  const mood = { reads: true };
  let schemaReads = 0;
  const decoder = new FrameDecoder(MAX_FRAME);
  const link = new Link({
    maxFrame: MAX_FRAME,
    limits: DEFAULT_LIMITS,
    budget: budget.on('network'),
    now: () => clock.now,
    write: (bytes) => {
      for (const { value } of decoder.push(bytes)) sent.push(value);
      return mood.reads;
    },
    onFrame: (frame, bytes) => peer.receive(frame, bytes),
    onDrain: () => peer.emit('drain'),
    onOffence: (offence, detail) => offences.push(`${offence}: ${detail}`),
    onSlow: () => offences.push('slow'),
  });
  const peer = new Peer<{ type: string }>({
    connection: { id: 'x', host: '', budget, heardAt: 0 } as unknown as Connection,
    hello: { sides: [], caps: [] } as unknown as Hello,
    clockOffsetMs: 0,
    link,
    schema: z.looseObject({ type: z.string() }).refine(() => ++schemaReads > 0),
    now: () => clock.now,
    onClose: () => {},
    onOffence: (offence, detail) => {
      offences.push(`${offence}: ${detail}`);
      link.close();
    },
    onFault: () => {},
    onUseful: () => {},
  });
  const heard: string[] = [];
  peer.onMessage(({ type }) => heard.push(type));
  const say = (message: object) => link.receive(encodeFrame(message, MAX_FRAME));
  return { clock, peer, link, say, heard, offences, sent, mood, schemaReads: () => schemaReads };
}

it('frames that nobody wants are passed over before the schema reads them', () => {
  const { peer, say, heard, offences, schemaReads } = connect();
  peer.screen(({ type }) => type !== 'unwanted');
  for (let count = 0; count < 1_000; count++) say({ type: 'unwanted', text: 'x'.repeat(100) });
  say({ type: 'wanted' });
  expect([heard, schemaReads(), offences]).toEqual([['wanted'], 1, []]);
});

it('frames that nobody wants are an offence when there is no end of them, by their bytes', () => {
  const { clock, peer, say, offences } = connect();
  peer.screen(() => false);
  const large = { type: 'unwanted', text: 'x'.repeat(800_000) };
  for (let count = 0; count < 10; count++) say(large);
  expect(offences).toEqual([]);
  clock.now += 1_000;
  for (let count = 0; count < 2; count++) say(large);
  expect(offences).toEqual(['too many frames: nobody asked for them']);
});

it('a ping is sent again as long as it is not answered, and its way is counted from the first', () => {
  const { clock, peer, say, sent } = connect();
  const pings = () => sent.filter((frame) => (frame as { type: string }).type === 'ping');
  for (let second = 0; second < 3; second++) {
    clock.now = 1_000 * second;
    expect(peer.probe()).toBe(clock.now);
  }
  expect(pings()).toEqual(Array(3).fill({ v: 2, type: 'ping', nonce: 0 }));
  clock.now = 2_500;
  for (let times = 0; times < 3; times++) say({ v: 2, type: 'pong', nonce: 0 });
  expect(peer.rttMs).toBe(2_500);
  peer.probe();
  expect(pings().at(-1)).toEqual({ v: 2, type: 'ping', nonce: 1 });
});

it('of pings that come while nothing is read of what it is sent, one is answered at once and the last one when it reads again', () => {
  const { link, say, sent, mood, offences } = connect();
  mood.reads = false;
  for (let nonce = 0; nonce < 5_000; nonce++) say({ v: 2, type: 'ping', nonce });
  expect(sent).toEqual([{ v: 2, type: 'pong', nonce: 0 }]);
  expect(link.queuedBytes).toBeLessThan(1_000);
  mood.reads = true;
  link.drain();
  const pongs = [0, 1, 4_999].map((nonce) => ({ v: 2, type: 'pong', nonce }));
  expect([sent, link.queuedBytes, offences]).toEqual([pongs, 0, []]);
  say({ v: 2, type: 'ping', nonce: 7 });
  expect(sent.at(-1)).toEqual({ v: 2, type: 'pong', nonce: 7 });
});
