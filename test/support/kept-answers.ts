import type { PackedTokens, SampledTokens } from '../../src-main/learning/feedback/sampled-tokens.ts';
import type { CompletionRow } from '../../src-main/store/learning/learning-completions.ts';
import type { NewFeedbackRow } from '../../src-main/store/learning/learning-feedback.ts';

/** An answer of two tokens, as it is kept. */
export function completionRow(row: Partial<CompletionRow> = {}): CompletionRow {
  return {
    ...{ id: 'chatcmpl-1', at: 1_000, door: 'api', model: 'local', base: 'b'.repeat(64), adapter: null },
    input: JSON.stringify({ messages: [{ role: 'user', content: 'Is four even?' }] }),
    ...{ system: null, text: 'It is.', text_hash: 'f'.repeat(64), prompt_tokens: 7, bytes: 100 },
    tokens: new Uint8Array(Uint32Array.of(5, 6).buffer),
    logprobs: new Uint8Array(Float32Array.of(-0.5, -0.25).buffer),
    ...row,
  };
}

/** What somebody says of it. */
export function feedbackRow(row: Partial<NewFeedbackRow> = {}): NewFeedbackRow {
  return {
    ...{ at: 2_000, key: 'once', completion: 'chatcmpl-1', name: 'personal', kind: 'say', text: 'Be brief.' },
    ...{ training: null, state: 'waiting', run: null },
    ...row,
  };
}

/** What was kept of an answer's tokens. */
export function unpackTokens({ tokens, logprobs }: PackedTokens): SampledTokens {
  const read = (bytes: Uint8Array, value: (view: DataView, at: number) => number) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: bytes.byteLength >>> 2 }, (_, index) => value(view, index * 4));
  };
  return {
    tokens: read(tokens, (view, at) => view.getUint32(at, true)),
    logprobs: read(logprobs, (view, at) => view.getFloat32(at, true)),
  };
}
