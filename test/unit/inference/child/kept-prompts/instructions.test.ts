import type { Token } from 'node-llama-cpp';
import { expect, it } from 'vitest';
import { Instructions, type TokenReader } from '../../../../../src-main/inference/child/kept-prompts/instructions.ts';
import type { ChatMessage, GenerateInput } from '../../../../../src-preload/contract/request.ts';

const LONG = 'a'.repeat(600);
const TOOL = { name: 'look', parameters: {} };

/** A token each character; tools come first, and the day may stand before all. */
class Letters implements TokenReader {
  day = '';
  reads = 0;

  read(input: GenerateInput, { tools }: Parameters<TokenReader['read']>[1]): Token[] {
    this.reads++;
    if (!('messages' in input)) throw new Error('a prompt');
    const said = input.messages.map(({ role, content }) => `<${role}>${content}`).join('');
    return Array.from(`${this.day}${tools.map(({ name }) => name.repeat(200)).join('')}${said}<assistant>`, (letter) =>
      letter.charCodeAt(0),
    ) as Token[];
  }
}

const system = (content: string): ChatMessage => ({ role: 'system', content });
const user = (content: string): ChatMessage => ({ role: 'user', content });

function lengthOf(messages: ChatMessage[], tools = [TOOL].slice(1), reader = new Letters()) {
  const input = { messages };
  return new Instructions(reader).of(reader.read(input, { tools }), input, tools)?.length;
}

it('are the system messages at the beginning, but for what a question could grow together with', () => {
  const end = `<system>${LONG}<user>`.length - 8;
  expect(lengthOf([system(LONG), user('Hello')])).toBe(end);
  expect(lengthOf([system(LONG), user('Why? 7 × 6 = ')])).toBe(end);
  expect(lengthOf([system(LONG), user('Hello'), { role: 'assistant', content: 'Hi' }, user('More')])).toBe(end);
});

it('are tools without a system message too', () => {
  expect(lengthOf([user('Hello')], [TOOL])).toBe(800 + '<user>'.length - 8);
});

it('are none where they are short, or nobody gave any', () => {
  expect(lengthOf([system('Be brief.'), user(LONG)])).toBeUndefined();
  expect(lengthOf([user(LONG)])).toBeUndefined();
  const reader = new Letters();
  expect(new Instructions(reader).of(Array<Token>(900).fill(1 as Token), { prompt: LONG }, [])).toBeUndefined();
});

it('are found once, and again where the template writes another day', () => {
  const reader = new Letters();
  const instructions = new Instructions(reader);
  const input = { messages: [system(LONG), user('Hello')] };
  const of = () => instructions.of(reader.read(input, { tools: [] }), input, [])?.length ?? 0;
  const first = of();
  expect([of(), reader.reads]).toEqual([first, 4]);
  reader.day = 'Tuesday. ';
  expect(of()).toBe(first + 'Tuesday. '.length);
});

it('are none where the template wants a conversation to be another way', () => {
  const input = { messages: [system(LONG), user('Hello')] };
  const prompt = new Letters().read(input, { tools: [] });
  const refusing: TokenReader = {
    read: () => {
      throw new Error('Roles must alternate.');
    },
  };
  expect(new Instructions(refusing).of(prompt, input, [])).toBeUndefined();
});
