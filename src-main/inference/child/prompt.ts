import {
  type ChatHistoryItem,
  JinjaTemplateChatWrapper,
  type LlamaModel,
  type LlamaText,
  SpecialToken,
  type Token,
} from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { ChatMessage, GenerateInput } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** For models that bring no template: what most of today's chat models were trained on. */
const CHATML = `{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

/** Turns conversations and raw prompts into the tokens that the model was trained to see. */
export class PromptReader {
  readonly #model: LlamaModel;
  readonly #template: JinjaTemplateChatWrapper;

  /** @param onBadTemplate told when the model's own template cannot be used; ChatML is used instead */
  constructor(model: LlamaModel, onBadTemplate: (error: unknown) => void) {
    this.#model = model;
    this.#template = openTemplate(model, onBadTemplate);
  }

  /** @throws BAD_REQUEST when the model's template refuses the messages */
  read(input: GenerateInput): Token[] {
    const tokens = 'messages' in input ? this.#readMessages(input.messages) : this.#model.tokenize(input.prompt, true);
    const { bos, eos, shouldPrependBosToken } = this.#model.tokens;
    if (bos !== null && shouldPrependBosToken && tokens[0] !== bos) return [bos, ...tokens];
    if (tokens.length > 0) return tokens;
    // Something must be there to continue from.
    const start = bos ?? eos;
    return start === null ? [] : [start];
  }

  /** Text that goes on after other text: no special tokens, no space put in front. */
  readContinuation(text: string): Token[] {
    return this.#model.tokenize(text, false, 'trimLeadingSpace');
  }

  #readMessages(messages: readonly ChatMessage[]): Token[] {
    try {
      const { contextText } = this.#template.generateContextState({ chatHistory: messages.map(historyItem) });
      return this.#readTemplated(contextText);
    } catch (error) {
      throw new QuarryError(
        {
          code: 'BAD_REQUEST',
          message: say('engine.template', { why: reason(error) }),
          hint: say('engine.takeTurns'),
          field: 'input.messages',
        },
        { cause: error },
      );
    }
  }

  /**
   * A message may hold the text of a special token («<|im_end|>»): read piece by piece, only the template's own become
   * tokens. Read at once, words that cross a piece's end come out as in training; so do that where it makes no forgery.
   */
  #readTemplated(text: LlamaText): Token[] {
    const inPieces = text.tokenize(this.#model.tokenizer);
    const atOnce = this.#model.tokenize(this.#flatten(text), true);
    return this.#controlTokens(atOnce) === this.#controlTokens(inPieces) ? atOnce : inPieces;
  }

  #flatten(text: LlamaText): string {
    return text.values
      .map((value) => (value instanceof SpecialToken ? this.#special(value) : value.toString()))
      .join('');
  }

  #special(token: SpecialToken): string {
    const { bosString, eosString, eotString, nlString, sepString } = this.#model.tokens;
    const names = { BOS: bosString, EOS: eosString, EOT: eotString, NL: nlString, SEP: sepString };
    return names[token.value] ?? '';
  }

  #controlTokens(tokens: readonly Token[]): string {
    return tokens.filter((token) => this.#model.getTokenAttributes(token).control).join();
  }
}

function openTemplate(model: LlamaModel, onBadTemplate: (error: unknown) => void): JinjaTemplateChatWrapper {
  const own: unknown = model.fileInfo.metadata.tokenizer?.chat_template;
  if (typeof own === 'string' && own !== '') {
    try {
      return chatWrapper(model, own);
    } catch (error) {
      onBadTemplate(error);
    }
  }
  return chatWrapper(model, CHATML);
}

function chatWrapper(model: LlamaModel, template: string): JinjaTemplateChatWrapper {
  return new JinjaTemplateChatWrapper({
    template,
    tokenizer: model.tokenizer,
    // We call no functions; looking for their format in the template takes longer than loading a small model.
    functionCallMessageTemplate: 'noJinja',
    additionalRenderParameters: { add_generation_prompt: true },
  });
}

function historyItem({ role, content }: ChatMessage): ChatHistoryItem {
  if (role === 'assistant') return { type: 'model', response: [content] };
  return { type: role, text: content };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
