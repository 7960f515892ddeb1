import {
  type ChatHistoryItem,
  JinjaTemplateChatWrapper,
  type LlamaModel,
  type LlamaText,
  SpecialToken,
  type Token,
} from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { ChatMessage, GenerateInput, Tool } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ToolStyle } from '../backend.ts';
import { OPENED } from '../tools/call-text.ts';
import { inPlainMessages } from '../tools/plain-messages.ts';
import { CLOCK, clockAt, type TemplateClock, withClock } from './template-clock.ts';
import { inTemplateTime, isEndless, notTooLong } from './template-limits.ts';
import { ToolTemplate } from './tool-template.ts';

/** For models that bring no template: what most of today's chat models were trained on. */
const CHATML = `{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

/** What a prompt is made of beside its input. */
export interface PromptWay {
  /** What the model is told that it may call, in the way of its own template, or in words where that knows none. */
  tools?: readonly Tool[];
  /** The time that a template is told: see `GenerateOptions`. */
  askedAt?: number | undefined;
}

type TemplateGiven = Record<typeof CLOCK, TemplateClock> & { add_generation_prompt: true };

/** Turns conversations and raw prompts into the tokens that the model was trained to see. */
export class PromptReader {
  readonly #model: LlamaModel;
  readonly #template: JinjaTemplateChatWrapper;
  /** What the template is rendered with, each time as it is then. */
  readonly #given: TemplateGiven = { add_generation_prompt: true, [CLOCK]: clockAt(undefined) };
  readonly #tools: ToolTemplate | undefined;

  /**
   * @param onBadTemplate told when the model's own template cannot be used; ChatML is used instead
   * @throws MODEL_INVALID when its template does not end
   */
  constructor(model: LlamaModel, onBadTemplate: (error: unknown) => void) {
    this.#model = model;
    this.#template = openTemplate(model, this.#given, onBadTemplate);
    const { bosString, eosString } = model.tokens;
    const own = ownTemplate(model);
    const tokens = { bos: bosString ?? '', eos: eosString ?? '' };
    this.#tools = own ? inTemplateTime(() => ToolTemplate.open(own, tokens)) : undefined;
  }

  /** How the model's own template writes calls of tools; undefined where it knows none. */
  get toolStyle(): ToolStyle | undefined {
    return this.#tools?.style;
  }

  /** What stands before a call that the model is made to write. */
  get callOpening(): string {
    return this.#tools?.opening ?? `${OPENED}\n`;
  }

  /**
   * @throws BAD_REQUEST when the model's template refuses the messages; MODEL_INVALID when it does not end
   */
  read(input: GenerateInput, { tools = [], askedAt }: PromptWay = {}): Token[] {
    this.#given[CLOCK] = clockAt(askedAt);
    const tokens =
      'messages' in input ? this.#readMessages(input.messages, tools) : this.#model.tokenize(input.prompt, true);
    const { bos, eos, shouldPrependBosToken } = this.#model.tokens;
    if (bos !== null && shouldPrependBosToken && tokens[0] !== bos) return [bos, ...tokens];
    if (tokens.length > 0) return tokens;
    // Something must be there to continue from.
    const start = bos ?? eos;
    return start === null ? [] : [start];
  }

  /** The beginning of a call, which may be a token of the template's own. */
  readOpening(text: string): Token[] {
    return text === '' ? [] : this.#model.tokenize(text, true, 'trimLeadingSpace');
  }

  /** Text that goes on after other text: no special tokens, no space put in front. */
  readContinuation(text: string): Token[] {
    return this.#model.tokenize(text, false, 'trimLeadingSpace');
  }

  #readMessages(messages: readonly ChatMessage[], tools: readonly Tool[]): Token[] {
    const withTools = tools.length > 0 || messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls);
    const known = withTools ? this.#readWithTools(messages, tools) : undefined;
    if (known) return known;
    const plain = withTools ? inPlainMessages(messages, tools) : messages;
    try {
      const chatHistory = plain.map(historyItem);
      return this.#readTemplated(
        inTemplateTime(() => this.#template.generateContextState({ chatHistory }).contextText),
        charsOf(messages),
      );
    } catch (error) {
      if (isEndless(error)) throw error;
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

  /** By the model's own template; undefined where it knows no tools, or not these (some take one call a turn). */
  #readWithTools(messages: readonly ChatMessage[], tools: readonly Tool[]): Token[] | undefined {
    try {
      const template = this.#tools;
      return (
        template &&
        this.#readTemplated(
          inTemplateTime(() => template.read(messages, tools, this.#given[CLOCK])),
          charsOf(messages),
        )
      );
    } catch (error) {
      if (isEndless(error)) throw error;
      return undefined; // said in words then
    }
  }

  /**
   * A message may hold the text of a special token («<|im_end|>»): read piece by piece, only the template's own become
   * tokens. Read at once, words that cross a piece's end come out as in training; so do that where it makes no forgery.
   */
  #readTemplated(rendered: LlamaText, given: number): Token[] {
    const text = notTooLong(rendered, given);
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

function openTemplate(
  model: LlamaModel,
  given: TemplateGiven,
  onBadTemplate: (error: unknown) => void,
): JinjaTemplateChatWrapper {
  const own = ownTemplate(model);
  if (own) {
    try {
      return inTemplateTime(() => chatWrapper(model, withClock(own), given));
    } catch (error) {
      if (isEndless(error)) throw error;
      onBadTemplate(error);
    }
  }
  return chatWrapper(model, CHATML, given);
}

/** The one that the model brings; undefined or empty where it has none. */
function ownTemplate(model: LlamaModel): string | undefined {
  const own: unknown = model.fileInfo.metadata.tokenizer?.chat_template;
  return typeof own === 'string' ? own : undefined;
}

function chatWrapper(model: LlamaModel, template: string, given: TemplateGiven): JinjaTemplateChatWrapper {
  return new JinjaTemplateChatWrapper({
    template,
    tokenizer: model.tokenizer,
    // Tools go another way (ToolTemplate); looking for their format in the template takes longer than loading a small model.
    functionCallMessageTemplate: 'noJinja',
    additionalRenderParameters: given,
  });
}

const charsOf = (messages: readonly ChatMessage[]) => messages.reduce((sum, { content }) => sum + content.length, 0);

function historyItem({ role, content }: ChatMessage): ChatHistoryItem {
  if (role === 'assistant') return { type: 'model', response: [content] };
  return { type: role === 'system' ? 'system' : 'user', text: content };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
