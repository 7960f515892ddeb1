import { type LlamaModel, LlamaText } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { PromptReader } from '../../../../src-main/inference/child/prompt.ts';
import { inTemplateTime, notTooLong } from '../../../../src-main/inference/child/template-limits.ts';
import { ToolTemplate } from '../../../../src-main/inference/child/tool-template.ts';

const LOOP = `{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}`;
const TOKENS = { bos: '<s>', eos: '</s>' };
const endless = expect.objectContaining({ code: 'MODEL_INVALID', message: expect.stringContaining('does not end') });

describe('a chat template that does not end', () => {
  it('is stopped, whatever it catches itself', () => {
    expect(() => inTemplateTime(() => ToolTemplate.open(LOOP, TOKENS), 100)).toThrow(endless);
    expect(inTemplateTime(() => 'as before')).toBe('as before');
  });

  it('is refused when the model is opened', () => {
    const model = {
      fileInfo: { metadata: { tokenizer: { chat_template: `${LOOP}{{ messages[0].content }}` } } },
      tokens: { bosString: '<s>', eosString: '</s>' },
      tokenizer: () => [],
    } as unknown as LlamaModel;
    expect(() => new PromptReader(model, () => undefined)).toThrow(endless);
  });

  it('is read no further than a request may be repeated', () => {
    expect(() => notTooLong(LlamaText('x'.repeat(5_000_000)), 1_000)).toThrow(endless);
    expect(notTooLong(LlamaText('x'.repeat(2_000_000)), 1_000).values).toHaveLength(1);
    expect(notTooLong(LlamaText('x'.repeat(10_000_000)), 9_900_000).values).toHaveLength(1);
  });
});
