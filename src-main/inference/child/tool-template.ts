import { randomBytes } from 'node:crypto';
import { Template } from '@huggingface/jinja';
import { LlamaText, SpecialTokensText } from 'node-llama-cpp';
import type { ChatMessage, Tool, ToolCall } from '../../../src-preload/contract/request.ts';
import type { ToolStyle } from '../backend.ts';
import { openAiTool } from '../tools/openai-form.ts';
import { CLOCK, clockAt, type TemplateClock, withClock } from './template-clock.ts';

/** What a call looks like that a template writes, and in which style it is read. */
const STYLES: [RegExp, ToolStyle][] = [
  [/<tool_call>\s*\{/, 'tags'],
  [/\[TOOL_CALLS\]\s*(\[\s*\{|probe_tool)/, 'mistral'],
  [/\{\s*"name":\s*"probe_tool",\s*"parameters":/, 'json'],
];

const PROBE: Tool = { name: 'probe_tool', description: 'what it does', parameters: { type: 'object', properties: {} } };
const PROBE_CALL: ToolCall = { id: '1', name: PROBE.name, arguments: '{"probe_key":"probe_value"}' };
const ASKED: ChatMessage = { role: 'user', content: 'a question' };
const CALLED: ChatMessage = { role: 'assistant', content: '', toolCalls: [PROBE_CALL] };
const ANSWERED: ChatMessage = { role: 'tool', content: 'a result', toolCallId: '1' };

/** The model's own chat template, where it knows tools: node-llama-cpp's reader of templates is not given any by us. */
export class ToolTemplate {
  readonly style: ToolStyle;
  /** What stands before the call that the model is made to write. */
  readonly opening: string;
  readonly #render: Renderer;

  private constructor(render: Renderer, style: ToolStyle, opening: string) {
    this.#render = render;
    this.style = style;
    this.opening = opening;
  }

  /** By trying it out: undefined where it says nothing of a tool that it is given, or writes calls in a way that we do not read. */
  static open(template: string, tokens: { bos: string; eos: string }): ToolTemplate | undefined {
    for (const argumentsAsText of [false, true]) {
      try {
        const render = new Renderer(new Template(withClock(template)), tokens, argumentsAsText);
        if (!String(render.text([ASKED], [PROBE])).includes(PROBE.name)) return undefined;
        const written = String(render.text([ASKED, CALLED, ANSWERED], []));
        const [, style] = STYLES.find(([pattern]) => pattern.test(written)) ?? [];
        if (!style || !written.includes('"probe_value"')) continue;
        return new ToolTemplate(render, style, openingOf(style, written));
      } catch {
        // a template that does not take such messages: another way may do, or the one without its help
      }
    }
    return undefined;
  }

  /** @throws when the template refuses the messages */
  read(messages: readonly ChatMessage[], tools: readonly Tool[], clock?: TemplateClock): LlamaText {
    return this.#render.text(messages, tools, clock);
  }
}

function openingOf(style: ToolStyle, written: string): string {
  if (style === 'mistral') return '[TOOL_CALLS]';
  return style === 'tags' ? (/<tool_call>\s*(?=\{)/.exec(written)?.[0] ?? '') : '';
}

/**
 * Renders with marks in the place of all texts, which are put in behind it: so no text can be taken for the template's own tokens
 * («<|im_end|>»), and none for Jinja.
 */
class Renderer {
  readonly #template: Template;
  readonly #tokens: { bos: string; eos: string };
  readonly #argumentsAsText: boolean;

  constructor(template: Template, tokens: { bos: string; eos: string }, argumentsAsText: boolean) {
    this.#template = template;
    this.#tokens = tokens;
    this.#argumentsAsText = argumentsAsText;
  }

  text(messages: readonly ChatMessage[], tools: readonly Tool[], clock = clockAt(undefined)): LlamaText {
    const marks = new Marks();
    const { bos, eos } = this.#tokens;
    const rendered = this.#template.render({
      messages: this.#messages(messages, marks),
      ...(tools.length > 0 && { tools: tools.map((tool) => markTool(openAiTool(tool), marks)) }),
      bos_token: bos,
      eos_token: eos,
      [CLOCK]: clock,
      add_generation_prompt: messages.at(-1)?.role !== 'assistant',
    });
    return marks.putIn(rendered);
  }

  #messages(messages: readonly ChatMessage[], marks: Marks): object[] {
    // Mistral's want ids of nine digits or letters, and no other.
    const ids = new Map<string, string>();
    const names = new Map<string, string>();
    return messages.map(({ role, content, toolCalls = [], toolCallId = '' }) => {
      if (role === 'tool') {
        const name = names.get(toolCallId) ?? '';
        return { role, content: marks.mark(content), name, tool_call_id: ids.get(toolCallId) ?? '000000000' };
      }
      const calls = toolCalls.map((call) => {
        const id = String(ids.size + 1).padStart(9, '0');
        ids.set(call.id, id);
        names.set(call.id, call.name);
        return { id, type: 'function', function: { name: call.name, arguments: this.#arguments(call, marks) } };
      });
      const marked = content === '' && calls.length > 0 ? '' : marks.mark(content);
      return { role, content: marked, ...(calls.length > 0 && { tool_calls: calls }) };
    });
  }

  #arguments({ arguments: args }: ToolCall, marks: Marks): unknown {
    if (this.#argumentsAsText) return marks.mark(args);
    try {
      return markTexts(JSON.parse(args), marks);
    } catch {
      return marks.mark(args); // a client may send back what it likes
    }
  }
}

/** Stand-ins for texts while a template is rendered. */
class Marks {
  /** By the text: the same one is the same to a template that looks for a name in a list. */
  readonly #numbers = new Map<string, number>();
  readonly #nonce = `q${randomBytes(6).toString('hex')}q`;

  mark(text: string): string {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return `${this.#nonce}${number}q`;
  }

  putIn(rendered: string): LlamaText {
    const parts = rendered.split(new RegExp(`${this.#nonce}(\\d+)q`));
    const texts = [...this.#numbers.keys()];
    return LlamaText(
      parts.map((part, at) => (at % 2 === 0 ? new SpecialTokensText(part) : (texts[Number(part)] ?? ''))),
    );
  }
}

/** JSON whose texts are marks: they are put in as they stand in JSON. */
function markTexts(value: unknown, marks: Marks): unknown {
  if (typeof value === 'string') return marks.mark(JSON.stringify(value).slice(1, -1));
  if (Array.isArray(value)) return value.map((each) => markTexts(each, marks));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [markTexts(key, marks), markTexts(each, marks)]);
  return Object.fromEntries(entries);
}

/** Letters of which no model makes a token of its own: those have brackets, bars or signs of other scripts. */
const PLAIN = /^[\w $#./:,-]*$/;

/**
 * What tools are said to do is text of who wrote them. Their names and shapes are what templates look into, so they stay as they are where they
 * are plain. Anything else in them, also a key, is text: a tool may come from a stranger's server.
 */
function markTool(value: unknown, marks: Marks, key = ''): unknown {
  if (typeof value === 'string') return key === 'description' || !PLAIN.test(value) ? markTexts(value, marks) : value;
  if (Array.isArray(value)) return value.map((each) => markTool(each, marks));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [markTool(name, marks), markTool(each, marks, name)]);
  return Object.fromEntries(entries);
}
