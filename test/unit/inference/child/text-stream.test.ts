import { describe, expect, it } from 'vitest';
import type { TokenLogprobs } from '../../../../src-main/inference/backend.ts';
import { TextStream } from '../../../../src-main/inference/child/text-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const logprobs = (token: string): TokenLogprobs => ({ token, bytes: [...bytes(token)], logprob: -1, top: [] });

describe('TextStream', () => {
  it('gives each token with its text', () => {
    const stream = new TextStream([]);
    expect(stream.push(bytes('one'))).toEqual({ text: 'one', tokens: 1, logprobs: [] });
  });

  it('waits for the rest of a character that comes in several tokens', () => {
    const stream = new TextStream([]);
    const [a = 0, b = 0, c = 0, d = 0] = bytes('🦆');
    expect(stream.push(Uint8Array.of(a, b)).text).toBe('');
    expect(stream.push(Uint8Array.of(c)).text).toBe('');
    expect(stream.push(Uint8Array.of(d))).toEqual({ text: '🦆', tokens: 3, logprobs: [] });
  });

  it('shows half a character at the end as a replacement character', () => {
    const stream = new TextStream([]);
    stream.push(bytes('🦆').slice(0, 2));
    expect(stream.end()).toEqual({ text: '\ufffd', tokens: 1, logprobs: [] });
  });

  it('keeps a byte-order mark', () => {
    expect(new TextStream([]).push(bytes('\ufeffa')).text).toBe('\ufeffa');
  });

  it('gives logprobs with the piece that completes their token', () => {
    const stream = new TextStream(['END']);
    expect(stream.push(bytes('the E'), logprobs('the E')).logprobs).toEqual([]);
    expect(stream.push(bytes('gg'), logprobs('gg'))).toEqual({
      text: 'Egg',
      tokens: 2,
      logprobs: [logprobs('the E'), logprobs('gg')],
    });
  });

  it('leaves out the tokens of a stop string', () => {
    const stream = new TextStream(['END']);
    stream.push(bytes('E'), logprobs('E'));
    expect(stream.push(bytes('ND'), logprobs('ND'))).toEqual({ text: '', tokens: 0, logprobs: [] });
    expect(stream.stopped).toBe(true);
    expect(stream.end()).toEqual({ text: '', tokens: 0, logprobs: [] });
  });

  it('counts tokens of no text with the next piece', () => {
    const stream = new TextStream([]);
    stream.push(new Uint8Array());
    expect(stream.push(bytes('a'))).toMatchObject({ text: 'a', tokens: 2 });
  });

  it('counts tokens of no text at the end', () => {
    const stream = new TextStream([]);
    stream.push(new Uint8Array());
    expect(stream.end()).toMatchObject({ text: '', tokens: 1 });
  });

  it('tells of tokens that it keeps back for long before there is anything to show, and counts each once', () => {
    const stream = new TextStream(['a'.repeat(1_000)]);
    let told = 0;
    for (let made = 1; made <= 999; made++) {
      const piece = stream.push(bytes('a'), logprobs('a'));
      expect(piece).toMatchObject({ text: '', logprobs: [] });
      told += piece.tokens;
      expect(made - told).toBeLessThan(32);
    }
    const piece = stream.push(bytes('b'), logprobs('b'));
    expect([piece.text.length, piece.tokens + told, piece.logprobs.length]).toEqual([1_000, 1_000, 1_000]);
    expect(stream.push(bytes('c'))).toEqual({ text: 'c', tokens: 1, logprobs: [] });
  });
});
