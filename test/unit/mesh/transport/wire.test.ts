import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_MARKS } from '../../../../src-main/base/json-shape.ts';
import { MAX_INFERENCE_FRAME } from '../../../../src-main/mesh/inference/messages.ts';
import {
  encodeFrame,
  FrameDecoder,
  MAX_JSON_DEPTH,
  MAX_MESSAGE_KEYS,
} from '../../../../src-main/mesh/transport/wire.ts';
import { MAX_SCHEMA_VALUES } from '../../../../src-preload/contract/limits.ts';

const CAP = 1_000;

function decodeAll(decoder: FrameDecoder, pieces: Uint8Array[]): unknown[] {
  return pieces.flatMap((piece) => [...decoder.push(piece)].map(({ value }) => value));
}

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

function frameOf(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(bytes.length);
  return Buffer.concat([header, bytes]);
}

describe('the wire', () => {
  it('is a big-endian length and UTF-8 JSON', () => {
    expect(encodeFrame({ a: 'é' }, CAP)).toEqual(Buffer.from('\0\0\0\x0a{"a":"é"}', 'utf8'));
  });

  it('brings messages through, however the stream is cut', () => {
    const message = fc.record({ id: fc.integer(), text: fc.string({ unit: 'grapheme', maxLength: 50 }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), fc.array(fc.nat(), { maxLength: 20 }), (messages, places) => {
        const stream = Buffer.concat(messages.map((each) => encodeFrame(each, CAP)));
        expect(decodeAll(new FrameDecoder(CAP), cut(stream, places))).toEqual(messages);
      }),
    );
  });

  it('meets garbage with protocol errors only, and never holds more than a frame', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 20 }), (pieces) => {
        const decoder = new FrameDecoder(CAP);
        try {
          for (const piece of pieces) {
            for (const _ of decoder.push(piece));
            expect(decoder.buffered).toBeLessThan(4 + CAP);
          }
        } catch (error) {
          expect(error).toMatchObject({ code: 'PROTOCOL' });
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('meets damaged frames with protocol errors only', () => {
    const damage = fc.record({ at: fc.nat(), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.array(damage, { maxLength: 3 }), (json, damages) => {
        const frame = frameOf(json);
        for (const { at, byte } of damages) frame[at % frame.length] = byte;
        try {
          decodeAll(new FrameDecoder(CAP), [frame]);
        } catch (error) {
          expect(error).toMatchObject({ code: 'PROTOCOL' });
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('refuses a length over the cap at its fourth byte', () => {
    const decoder = new FrameDecoder(CAP);
    expect(decodeAll(decoder, [Buffer.from([0, 0, 3])])).toEqual([]);
    expect(() => decodeAll(decoder, [Buffer.from([0xe9])])).toThrow(/1001 bytes is over the limit/);
  });

  it('takes a body of exactly the cap', () => {
    const message = { a: 'x'.repeat(CAP - 8) };
    expect(decodeAll(new FrameDecoder(CAP), [encodeFrame(message, CAP)])).toEqual([message]);
  });

  it('does not send more than the cap', () => {
    expect(() => encodeFrame({ a: 'x'.repeat(CAP) }, CAP)).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  });

  it.each([
    ['an empty frame', frameOf('')],
    ['broken JSON', frameOf('{"a":')],
    ['bytes that are not UTF-8', frameOf(Buffer.from([0x22, 0xff, 0x22]))],
    ['two values', frameOf('{}{}')],
  ])('refuses %s', (_, frame) => {
    expect(() => decodeAll(new FrameDecoder(CAP), [frame])).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  });

  it('counts depth outside of strings only', () => {
    const deepest = '['.repeat(MAX_JSON_DEPTH) + ']'.repeat(MAX_JSON_DEPTH);
    const text = JSON.stringify({ a: `${'[{'.repeat(100)}\\"` });
    expect(decodeAll(new FrameDecoder(CAP), [frameOf(deepest), frameOf(text)])).toHaveLength(2);
    expect(() => decodeAll(new FrameDecoder(CAP), [frameOf(`[${deepest}]`)])).toThrow(/deeper than 32/);
  });

  it('refuses objects with more keys than any message has, before it parses', () => {
    const decode = (body: string) => decodeAll(new FrameDecoder(MAX_INFERENCE_FRAME), [frameOf(body)]);
    const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":":"`).join();
    const [honest, rude] = [`{${keys(MAX_MESSAGE_KEYS)}}`, `{${keys(MAX_MESSAGE_KEYS + 1)}`];
    const schema = `{"params":{"jsonSchema":{"properties":{${keys(MAX_SCHEMA_VALUES)}}}}}`;
    for (const body of [honest, `{"input":${honest},"params":${honest}}`, schema]) expect(decode(body)).toHaveLength(1);
    const tooWide = `{"receipt":{"body":{${keys(MAX_SCHEMA_VALUES + 1)}`;
    for (const body of [rude, `{"v":{},"input":${rude}`, `{"v":[{"a":1}],"input":${rude}`, tooWide])
      expect(() => decode(body)).toThrow(/too many keys/);
  });

  it('counts keys and entries outside of strings only, before it parses', () => {
    const decode = (body: string) => decodeAll(new FrameDecoder(MAX_INFERENCE_FRAME), [frameOf(body)]);
    const full = `[1${',1'.repeat(MAX_JSON_MARKS)}`;
    expect(decode(`${full}]`)).toHaveLength(1);
    // Not JSON either: it is refused for what comes first.
    expect(() => decode(`${full},`)).toThrow(/keys and entries/);
    const objects = Array.from({ length: 90_000 }, () => '{"k":1}');
    expect(() => decode(`[${objects.join()}]`)).toThrow(/keys and entries/);
    expect(decode(JSON.stringify({ text: ':,'.repeat(MAX_JSON_MARKS) }))).toHaveLength(1);
  });

  it('has room for the fullest honest frame: 200 tokens of an answer with all their log-probabilities', () => {
    const one = { token: 'x'.repeat(15), bytes: Array.from({ length: 15 }, () => 120), logprob: -12.345678901234567 };
    const logprobs = Array.from({ length: 200 }, () => ({ ...one, top: Array.from({ length: 20 }, () => one) }));
    expect(encodeFrame({ type: 'chunk', logprobs }, MAX_INFERENCE_FRAME).length).toBeGreaterThan(500_000);
  });
});
