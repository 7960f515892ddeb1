import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolStyle } from '../../../../src-main/inference/backend.ts';
import { ToolCallReader } from '../../../../src-main/inference/tools/call-reader.ts';
import { callText } from '../../../../src-main/inference/tools/call-text.ts';

const TOOLS = ['clock', 'get_weather'];
const STYLES: ToolStyle[] = ['tags', 'json', 'mistral'];

interface Read {
  text: string;
  calls: { name: string; arguments: string }[];
}

function read(style: ToolStyle, ...pieces: string[]): Read {
  const reader = new ToolCallReader(TOOLS, style);
  const all: Read = { text: '', calls: [] };
  for (const { text, calls } of [...pieces.map((piece) => reader.push(piece)), reader.end()]) {
    all.text += text;
    all.calls.push(...calls.map(({ name, arguments: args }) => ({ name, arguments: args })));
  }
  return all;
}

const weather = (city: string) => ({ name: 'get_weather', arguments: JSON.stringify({ city }) });
const clock = { name: 'clock', arguments: '{}' };

/** What models write, and what is meant. */
const WRITTEN: [what: string, style: ToolStyle, written: string, meant: Read][] = [
  [
    'Hermes and Qwen',
    'tags',
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    { text: '', calls: [weather('Oslo')] },
  ],
  [
    'words before a call, and two calls',
    'tags',
    'I look.\n<tool_call>{"name":"clock","arguments":{}}</tool_call>\n<tool_call>\n{"arguments": {"city": "Rom"}, "name": "get_weather"}\n</tool_call>\n',
    { text: 'I look.\n', calls: [clock, weather('Rom')] },
  ],
  [
    'a call without its end mark, and words behind it',
    'tags',
    '<tool_call>{"name": "clock"} So it is late.',
    { text: 'So it is late.', calls: [clock] },
  ],
  [
    'brackets, quotes and end marks within arguments',
    'tags',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "a}\\"{[</tool_call> \\\\"}}</tool_call>',
    { text: '', calls: [weather('a}"{[</tool_call> \\')] },
  ],
  [
    'arguments as a text, as OpenAI has them',
    'tags',
    '<tool_call>{"type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\":\\"Rom\\"}"}}</tool_call>',
    { text: '', calls: [weather('Rom')] },
  ],
  [
    'Llama 3',
    'json',
    '\n{"name": "get_weather", "parameters": {"city": "Oslo"}}',
    { text: '\n', calls: [weather('Oslo')] },
  ],
  [
    'Llama 3 with its mark, and two calls',
    'json',
    '<|python_tag|>{"name": "clock", "parameters": {}}; {"name": "get_weather", "parameters": {"city": "Rom"}}',
    { text: '', calls: [clock, weather('Rom')] },
  ],
  [
    'Mistral',
    'mistral',
    '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}}, {"name": "clock", "arguments": {}}]',
    { text: '', calls: [weather('Oslo'), clock] },
  ],
  [
    'newer Mistral',
    'mistral',
    'Well. [TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]clock{}',
    { text: 'Well. ', calls: [weather('Oslo'), clock] },
  ],
];

describe('reads calls as models write them', () => {
  it.each(WRITTEN)('%s, whole and cut anywhere', (_, style, written, meant) => {
    expect(read(style, written)).toEqual(meant);
    expect(read(style, ...written)).toEqual(meant);
    for (let cut = 1; cut < written.length; cut++) {
      expect(read(style, written.slice(0, cut), written.slice(cut)), written.slice(0, cut)).toEqual(meant);
    }
  });

  it('reads of every model what a model writes that has learned no way', () => {
    const call = { name: 'get_weather', arguments: '{"city":"Łódź </tool_call>"}' };
    for (const style of STYLES) expect(read(style, callText(call))).toEqual({ text: '', calls: [call] });
  });

  it('tells what no call can become without waiting for the rest', () => {
    const reader = new ToolCallReader(TOOLS, 'tags');
    expect(reader.push('1 < 2 and <tool').text).toBe('1 < 2 and ');
    expect(reader.push('s>').text).toBe('<tools>');
    expect(reader.push('<tool_call>none').text).toBe('<tool_call>none');
  });
});

describe('what is no call stays text', () => {
  it.each<[string, string]>([
    ['a tool that was not offered', '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
    ['no JSON', '<tool_call>{name: clock}</tool_call>'],
    ['cut off', '<tool_call>{"name": "clock", "arg'],
    ['arguments that are no object', '<tool_call>{"name": "clock", "arguments": [1]}</tool_call>'],
    ['a name that is no name', '<tool_call>{"name": {"a": 1}, "arguments": {}}</tool_call>'],
    ['a prototype', '<tool_call>{"__proto__": {"name": "clock"}}</tool_call>'],
    ['an empty list', '[TOOL_CALLS] []'],
    ['a list with a stranger', '[TOOL_CALLS] [{"name": "clock"}, {"name": "rm"}]'],
    ['a mark alone', '[TOOL_CALLS]'],
    ['space', `<tool_call>${' '.repeat(5_000)}`],
    ['JSON as an answer', '{"answer": [1, 2, {"name": "clock"}]}'],
    ['JSON behind words', 'So: {"name": "clock", "parameters": {}}'],
  ])('%s', (_, written) => {
    for (const style of STYLES) {
      expect(read(style, written)).toEqual({ text: written, calls: [] });
      expect(read(style, ...written)).toEqual({ text: written, calls: [] });
    }
  });

  it('nests too deep or has no end: it costs no more than its length', () => {
    for (const style of STYLES) {
      for (const hostile of ['[TOOL_CALLS]', '<tool_call>', ''].flatMap((mark) => [
        mark + '['.repeat(100_000),
        `${mark}{"name": "clock", "arguments": {"a": "${'x'.repeat(200_000)}"}}`,
        mark + '{"a":'.repeat(20_000),
        mark + '"'.repeat(100_000),
        mark.repeat(10_000),
        `${mark}{`.repeat(5_000),
        mark + ' '.repeat(100_000),
      ])) {
        const pieces = hostile.match(/[\s\S]{1,40}/g) ?? [];
        expect(read(style, ...pieces).text).toBe(hostile);
      }
    }
  });

  it('begins over and over, each time without an end: it costs what its length does', () => {
    // Within each quote that opens here, the next beginning closes nothing.
    const unit = '<tool_call>{\\"';
    const hostile = unit.repeat(Math.ceil((8 << 20) / unit.length));
    const held = hostile.slice(0, 64 << 10);
    const inPieces = hostile.match(/[\s\S]{1,16}/g) ?? [];
    // As what is left when no more comes; as one piece; and as a worker may cut it.
    for (const pieces of [[held], [`${held}"}`], [hostile], inPieces]) {
      for (const style of STYLES) {
        const before = process.cpuUsage();
        const reader = new ToolCallReader(TOOLS, style);
        const texts = pieces.map((piece) => reader.push(piece).text);
        const text = texts.join('') + reader.end().text;
        const { user, system } = process.cpuUsage(before);
        expect(text === pieces.join('')).toBe(true);
        expect((user + system) / 1_000).toBeLessThan(2_000); // milliseconds: up to 200 with a bound, from 3,000 to hours without
      }
    }
  });

  it('is read behind a beginning that came to nothing, however it is cut', () => {
    const written = `<tool_call>{"a" <tool_call>{"b": ${'x'.repeat(66_000)} <tool_call>{"name":"clock"}</tool_call>`;
    for (const pieces of [[written], written.match(/[\s\S]{1,1000}/g) ?? []]) {
      expect(read('tags', ...pieces).calls).toEqual([clock]);
    }
  });

  it('is more than a message may have: the rest is text', () => {
    const { text, calls } = read('tags', '<tool_call>{"name":"clock"}</tool_call>'.repeat(40));
    expect(calls).toHaveLength(32);
    expect(text).toContain('<tool_call>');
  });

  it('passes any text unchanged, however it is cut', () => {
    const bits = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '[TOOL_CALLS]',
      '<|python_tag|>',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ' ',
      '\n',
      ';',
      'word',
      '[ARGS]',
      '"name": "rm"',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(bits, fc.string()), { maxLength: 30 }),
        fc.constantFrom(...STYLES),
        (pieces, style) => {
          expect(read(style, ...pieces)).toEqual({ text: pieces.join(''), calls: [] });
        },
      ),
    );
  });
});
