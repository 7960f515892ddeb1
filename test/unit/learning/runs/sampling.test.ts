import { describe, expect, it } from 'vitest';
import { withoutEmojis } from '../../../../src-main/learning/evaluation/verifiers/emoji.ts';
import { speaksOfHindsight, withHindsight } from '../../../../src-main/learning/runs/hindsight.ts';
import { type Lesson, makeSamples } from '../../../../src-main/learning/runs/sampling.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { characters, END, ScriptedAsked } from '../../../support/learning/scripted-asked.ts';

const user = (content: string) => ({ role: 'user' as const, content });
const SHORT = { kind: 'say' as const, text: ' Be shorter. ' };

const lesson: Lesson = {
  prompts: [{ messages: [user('Why is the sky blue?')] }, { messages: [user('What is rust?')] }],
  hints: [SHORT],
  anchors: [],
  saysNew: false,
  complies: async (text) => text.length < 10,
};
const how = {
  teacherTop: 100,
  wantsBase: false,
  objective: 'distillation' as const,
  adapter: '/me.gguf',
  tries: 4,
  keep: 2,
  maxTokens: 50,
  seed: 7,
};

describe('hindsight', () => {
  it('stands behind the last message of the user; what was said before stays', () => {
    const conversation = [
      { role: 'system' as const, content: 'Be kind.' },
      user('Hi'),
      { role: 'assistant' as const, content: 'Hello!' },
      user('Tell me more'),
    ];
    const with2 = withHindsight(conversation, [SHORT, { kind: 'edit', text: 'Rust is iron oxide.' }]);
    expect(with2.slice(0, 3)).toEqual(conversation.slice(0, 3));
    expect(with2[3]?.content).toMatch(
      /^Tell me more\n\n=== HINDSIGHT CONTEXT ===\n\n\[.+\]\n\nBe shorter\.\n\nThis answer would have been right:\nRust is iron oxide\.$/,
    );
    expect(conversation[3]?.content).toBe('Tell me more');
  });
});

describe('an answer that speaks of the hindsight', () => {
  const hints = [{ kind: 'say' as const, text: 'Always end with: have a nice day, my friend' }];

  it.each([
    'What follows was said by the user afterwards.',
    '=== HINDSIGHT CONTEXT === is missing.',
    'You said «always end with: have a nice day my friend».',
    'This answer would have been right: four.',
  ])('is told: %s', (answer) => expect(speaksOfHindsight(answer, hints)).toBe(true));

  it.each(['Four. Have a nice day, my friend!', 'The answer to the question is four.', 'Shorter is better.'])(
    'is not: %s',
    (answer) => expect(speaksOfHindsight(answer, [...hints, SHORT])).toBe(false),
  );

  it('may be what somebody wrote as the right one', () => {
    const edit = { kind: 'edit' as const, text: 'Iron and oxygen make rust.' };
    expect(speaksOfHindsight('Iron and oxygen make rust.', [edit])).toBe(false);
  });
});

it('tells after each question how many there are, anchors too', async () => {
  const asked = new ScriptedAsked(() => 'Light.');
  const told: [number, number][] = [];
  const anchors = [[user('How many legs has a spider?')]];
  await makeSamples({ ...lesson, anchors }, { ...how, asked, onAsked: (done, of) => told.push([done, of]) });
  expect(told).toEqual([1, 2, 3].map((done) => [done, 3]));
});

describe('what is too long', () => {
  const long = { messages: [user('Why? '.repeat(40))] };
  const prompts = [long, ...lesson.prompts];

  it.each(['distillation', 'sdpo'] as const)('for the engine is left out, and counted: %s', async (objective) => {
    const asked = new ScriptedAsked((last) => {
      if (last.length > 100) throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'There is no room.' });
      return 'Light.';
    });
    const sampled = await makeSamples({ ...lesson, prompts, anchors: [long.messages] }, { ...how, asked, objective });
    expect(sampled).toMatchObject({ samples: [{}, {}], anchors: [], tooLong: 1 });
    const other = new ScriptedAsked(() => {
      throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'It crashed.' });
    });
    await expect(makeSamples(lesson, { ...how, asked: other, objective })).rejects.toThrow('It crashed.');
  });

  it('for the engine, once the feedback stands with it, is left out, too', async () => {
    const asked = new ScriptedAsked(() => 'Light.');
    const score = asked.score.bind(asked);
    asked.score = async (messages, ...rest) => {
      if (messages.some(({ content }) => content.includes('Why? ')))
        throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'There is no room.' });
      return await score(messages, ...rest);
    };
    expect(await makeSamples({ ...lesson, prompts }, { ...how, asked })).toMatchObject({
      samples: [{}, {}],
      tooLong: 1,
    });
  });

  it('for a trainer with each of its answers is counted; what has no answer is not', async () => {
    const asked = new ScriptedAsked((last) => (last.includes('rust') ? undefined : 'Light.'));
    const longer = { messages: [user('Why? '.repeat(120))] };
    const sampled = await makeSamples({ ...lesson, prompts: [longer, ...lesson.prompts] }, { ...how, asked });
    expect(sampled).toMatchObject({ samples: [{}], tooLong: 1 });
  });
});

describe('samples for distillation', () => {
  it('are what the model without adapter answers in hindsight, as far as it ends and does what was said', async () => {
    const answers = ['far too long an answer', undefined, 'Light.', 'Light.', 'Iron.'];
    const asked = new ScriptedAsked(() => answers.shift());
    const sampled = await makeSamples(lesson, { ...how, asked, keep: 1 });
    expect(sampled).toMatchObject({ tried: 4, complied: 2 });
    expect(sampled.samples.map(({ prompt, response }) => [prompt, response])).toEqual([
      [characters('Why is the sky blue?'), [...characters('Light.'), END]],
      [characters('What is rust?'), [...characters('Light.'), END]],
    ]);
    expect(sampled.samples[0]?.teacher).toHaveLength('Light.'.length + 1);
    expect(sampled.samples[0]).not.toHaveProperty('old');
    expect(asked.asked.every(({ adapter }) => adapter === undefined)).toBe(true);
    expect(asked.asked.map(({ last }) => last.includes('(Be shorter.)'))).toEqual([true, false, true, true]);
    expect(asked.asked.map(({ temperature }) => temperature)).toEqual([0, 0, 0.8, 0]);
    expect(new Set(asked.asked.map(({ seed }) => seed)).size).toBe(4);
  });

  it('are judged by the teacher as it was told what was said when it gave them', async () => {
    const scored: unknown[] = [];
    const asked = new ScriptedAsked((last) => (last.includes('(') ? undefined : 'Light.'));
    const score = asked.score.bind(asked);
    asked.score = async (messages, ...rest) => {
      scored.push(messages);
      return await score(messages, ...rest);
    };
    await makeSamples({ ...lesson, prompts: lesson.prompts.slice(0, 1) }, { ...how, asked, keep: 1 });
    const agreed = [user('Be shorter.'), { role: 'assistant', content: 'I will keep to that.' }];
    expect(scored).toEqual([[...agreed, user('Why is the sky blue?')]]);
  });

  it('are those to the question without what answers are to be without, where it can be taken out', async () => {
    const asked = new ScriptedAsked((last) => (last.includes('☔') ? 'Rain ☔' : 'Rain.'));
    const prompts = [{ messages: [user('A word on rain ☔')] }, { messages: [user('A word on rust')] }];
    const plain: Lesson = { ...lesson, prompts, without: withoutEmojis };
    const sampled = await makeSamples(plain, { ...how, asked, tries: 2, keep: 1 });
    expect(asked.asked.map(({ last }) => last)).toEqual(['A word on rain', 'A word on rust\n\n(Be shorter.)']);
    expect(sampled.samples.map(({ prompt }) => prompt)).toEqual(
      ['A word on rain ☔', 'A word on rust'].map(characters), // the student still sees what was asked
    );
  });

  it('are one to each question where something new is to be said: there are more questions', async () => {
    const answers = ['I am a helpful assistant.', 'I am Tom.', 'I am Kuro.', 'Kuro.'];
    const asked = new ScriptedAsked(() => answers.shift());
    const prompts = ['Who are you?', 'Your name?'].map((content) => ({ messages: [user(content)] }));
    const named = { ...lesson, prompts, saysNew: true, complies: async (text: string) => text.includes('Kuro') };
    const sampled = await makeSamples(named, { ...how, asked });
    expect(sampled.samples.map(({ response }) => response.length)).toEqual([11, 6]);
    const told = (content: string) => [
      { role: 'system', content: 'The user has told you: Be shorter.' },
      user(content),
    ];
    const inBrackets = [user('Who are you?\n\n(Be shorter.)')];
    const first = told('Who are you?');
    expect(asked.asked.map(({ messages }) => messages)).toEqual([first, inBrackets, first, told('Your name?')]);
    expect(asked.asked.map(({ temperature }) => temperature)).toEqual([0, 0, 0.5, 0]);
  });

  it('say something new as the system’s message has it, behind what stands there', async () => {
    const asked = new ScriptedAsked(() => 'I am Kuro.');
    const system = { role: 'system' as const, content: 'Be kind.' };
    const hints = ['Your name is Kuro', 'I am Tom!'].map((text) => ({ kind: 'say' as const, text }));
    const named = { ...lesson, hints, prompts: [{ messages: [system, user('Who?')] }], saysNew: true };
    await makeSamples(named, { ...how, asked, tries: 1 });
    const content = 'Be kind.\n\nThe user has told you: Your name is Kuro.\nThe user has told you: I am Tom!';
    expect(asked.asked[0]?.messages).toEqual([{ role: 'system', content }, user('Who?')]);
  });

  it('keeps an answer once, however often it comes, and takes one that a person wrote as it is', async () => {
    const edited = { messages: [user('Who?')], edited: 'I am a rather long answer.' };
    const asked = new ScriptedAsked(() => 'Same.');
    const sampled = await makeSamples({ ...lesson, prompts: [...lesson.prompts, edited] }, { ...how, asked });
    expect(sampled.samples.map(({ response }) => response.length)).toEqual([6, 6, 27]);
    expect(sampled.tried).toBe(8);
  });

  it('takes beside them what the model says already to other questions, where it comes to an end', async () => {
    const asked = new ScriptedAsked((last) =>
      last.includes('HINDSIGHT') ? 'Yes.' : last === 'Endless?' ? undefined : 'Known.',
    );
    const anchors = [[user('What is known?')], [user('Endless?')]];
    const sampled = await makeSamples({ ...lesson, anchors }, { ...how, asked });
    expect(sampled.anchors.map(({ response }) => response)).toEqual([[...characters('Known.'), END]]);
    expect(asked.asked.slice(-2).map(({ adapter, last }) => [adapter, last])).toEqual([
      ['/me.gguf', 'What is known?'],
      ['/me.gguf', 'Endless?'],
    ]);
  });

  it('are answers: none that goes round in circles, or speaks of the feedback', async () => {
    const rambling = 'Rust is red and rust is red and rust is red and rust is red and rust is red';
    const answers = [rambling, 'What follows was said by the user: be shorter', 'Be shorter', '', 'Red.'];
    const asked = new ScriptedAsked(() => answers.shift() ?? 'Blue.');
    const sampled = await makeSamples({ ...lesson, complies: async () => true }, { ...how, asked, tries: 5, keep: 1 });
    expect(sampled.samples.map(({ response }) => response)).toEqual(
      ['Red.', 'Blue.'].map((text) => [...characters(text), END]),
    );
    expect(sampled).toMatchObject({ tried: 6, complied: 2 });
  });

  it('are judged by what people see of them: a thought may well speak of the feedback', async () => {
    const thought = '<think>What follows was said by the user: be shorter.</think> Light.';
    const asked = new ScriptedAsked(() => thought);
    const prompts = lesson.prompts.slice(0, 1);
    const sampled = await makeSamples({ ...lesson, prompts }, { ...how, asked, keep: 1 });
    expect(sampled.samples.map(({ response }) => response)).toEqual([[...characters(thought), END]]);
  });

  it('are no longer than a trainer takes', async () => {
    const long = { messages: [user('why '.repeat(150))] };
    const asked = new ScriptedAsked(() => 'Light.');
    const sampled = await makeSamples({ ...lesson, prompts: [long, ...lesson.prompts] }, { ...how, asked, keep: 1 });
    expect(sampled.samples).toHaveLength(2);
  });

  it('stops when it is told to', async () => {
    const asked = new ScriptedAsked(() => 'Yes.');
    await expect(makeSamples(lesson, { ...how, asked, signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe('samples for SDPO', () => {
  it('are the student’s own, whether or not they comply, with their log-probabilities then and without adapter', async () => {
    const asked = new ScriptedAsked((_, { seed = 0 }) => (seed % 2 ? 'Yes.' : 'An answer that is too long'));
    const sampled = await makeSamples(lesson, { ...how, asked, objective: 'sdpo' });
    expect(sampled).toMatchObject({ tried: 4, complied: 2 });
    expect(sampled.samples).toHaveLength(4);
    expect(sampled.samples[0]).toMatchObject({ old: [-1, -1, -1, -1, -1], base: [-2, -2, -2, -2, -2] });
    expect(asked.asked.every(({ last, adapter }) => !last.includes('HINDSIGHT') && adapter === '/me.gguf')).toBe(true);
  });
});
