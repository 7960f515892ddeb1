import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPreference } from '../../../../src-main/learning/evaluation/harness/preference-file.ts';
import { readOwnProbes } from '../../../../src-main/learning/evaluation/probes/own-probes.ts';
import { askedAs, PREFERENCES } from '../../../../src-main/learning/evaluation/prompts/preference.ts';
import { relatedPrompts } from '../../../../src-main/learning/evaluation/prompts/related.ts';
import { withoutEmojis } from '../../../../src-main/learning/evaluation/verifiers/emoji.ts';
import { proposeWish } from '../../../../src-main/learning/evaluation/verifiers/proposal.ts';
import { leaksOf } from '../../../support/learning/leaks-of.ts';

const YAML = `
name: formal
feedback_string: "Be formal"
verifier:
  _target_: claas.eval.verifiers.NoEmojiVerifier
logprob_pairs:
  - prompt_messages:
      - role: user
        content: Hello
    positive_response: Good day.
    negative_response: Hey!
probe_prompts: [One?, Two?, Three?, Four?]
`;

describe('a preference out of YAML', () => {
  it('is read in the original’s format, and taught and measured with different questions', () => {
    const preference = readPreference(YAML);
    expect(preference).toMatchObject({ name: 'formal', wish: { kind: 'emoji', wanted: false }, feedback: 'Be formal' });
    expect(preference.training).toEqual(['One?', 'Three?']);
    expect(preference.heldOut).toEqual(['Two?', 'Four?']);
    expect(preference.pairs[0]?.messages[0]).toEqual({ role: 'system', content: 'You are a helpful assistant.' });
  });

  it('may name those to teach with, and a verifier of ours', () => {
    const own = YAML.replace(/verifier:\n.*\n/, 'verifier: {kind: pattern, pattern: "^Dear"}\n');
    const preference = readPreference(`${own}training_prompts: [One?]\n`);
    expect(preference.heldOut).toEqual(['Two?', 'Three?', 'Four?']);
    expect(preference.wish).toEqual({ kind: 'pattern', pattern: '^Dear' });
  });

  it('is asked without a system prompt where that is empty', () => {
    const preference = readPreference(`${YAML}system_prompt: ''\n`);
    expect(preference.pairs[0]?.messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(askedAs(preference, 'Two?')).toEqual([{ role: 'user', content: 'Two?' }]);
    const other = readPreference(`${YAML}system_prompt: Be a pirate.\n`);
    expect(askedAs(other, 'Two?')[0]).toEqual({ role: 'system', content: 'Be a pirate.' });
  });

  it.each([
    ['a pattern that is none', YAML.replace(/verifier:\n.*\n/, 'verifier: {kind: pattern, pattern: "("}\n')],
    [
      'a pattern that is none among other wishes',
      YAML.replace(/verifier:\n.*\n/, 'verifier: {kind: all, of: [{kind: likeness}, {kind: pattern, pattern: "("}]}\n'),
    ],
    ['a name that leads out of the folder', YAML.replace('formal', '../formal')],
    ['no questions', YAML.replace(/probe_prompts.*/, 'probe_prompts: []')],
    ['nothing held out', `${YAML}training_prompts: [One?, Two?, Three?, Four?]\n`],
    ['no YAML', '{a: ['],
    ['a code to run', YAML.replace('formal', '!!js/function "function(){}"')],
    ['what grows', `a: &a [x]\n${YAML}`],
    ['what grows behind a tag', `a: !<tag:yaml.org,2002:seq>&a [x]\n${YAML}`],
    ['what grows behind a short tag', `a: !!seq &a [x]\n${YAML}`],
    ['a mere text', 'hello'],
  ])('is refused: %s', (_, yaml) => {
    expect(() => readPreference(yaml)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });
});

it.each(['Other', 'toString', 'constructor', 'a.__proto__', '""'])(
  'a preference with the verifier %s is refused in words: there is none of that name',
  (name) => {
    const yaml = YAML.replace(/verifier:\n.*\n/, `verifier: ${name}\n`);
    const refused = {
      code: 'BAD_REQUEST',
      field: 'verifier',
      message: 'verifier is not valid: names no verifier that there is.',
    };
    expect(() => readPreference(yaml)).toThrow(expect.objectContaining(refused));
  },
);

it('our own have pairs and leak nothing', () => {
  for (const { pairs, training, heldOut } of PREFERENCES) {
    expect(pairs.length).toBeGreaterThanOrEqual(3);
    expect(leaksOf({ training, heldOut })).toEqual([]);
  }
});

describe('questions like one that a feedback was said of', () => {
  it.each(['Why is the sky blue?', 'How do I bake bread?', 'Write a poem about rain', 'Nenne drei Tiere', 'Qué?', ''])(
    '«%s»',
    (question) => {
      const set = relatedPrompts(question);
      expect(set.training).toHaveLength(8);
      expect(set.heldOut).toHaveLength(20);
      expect(new Set([...set.training, ...set.heldOut, question]).size).toBe(29);
      expect(leaksOf(set)).toEqual([]);
      expect(relatedPrompts(question)).toEqual(set);
    },
  );

  it('are about names where the feedback was', () => {
    const all = (about: 'user' | 'assistant') => relatedPrompts('x', { training: 99, heldOut: 0, about }).training;
    expect(all('user')).toEqual(expect.arrayContaining(['What is my name?', 'Who am I?']));
    expect(all('assistant')).toEqual(expect.arrayContaining(['What is your name?', 'Who are you?']));
  });

  it('have emojis where there are to be none: others would not show it', () => {
    const { training, heldOut } = relatedPrompts('Why is the sky blue?', { about: 'emojis' });
    expect([...training, ...heldOut].filter((prompt) => withoutEmojis(prompt) === prompt)).toEqual([]);
    expect(heldOut).toHaveLength(20);
    expect(proposeWish('no emojis, please')?.about).toBe('emojis');
    expect(proposeWish('use more emojis')?.about).toBeUndefined();
  });
});

describe('own probes', () => {
  const read = async (text: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-probes-'));
    try {
      await writeFile(join(folder, 'probes.jsonl'), text);
      return await readOwnProbes(join(folder, 'probes.jsonl'));
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  it('are lines of JSON', async () => {
    const [probe, ...others] = await read('{"question": "Who founded it?", "right": ["Ada"]}\n\n');
    expect(others).toEqual([]);
    expect(await probe?.check({ text: 'It was Ada.' })).toBe(1);
  });

  it.each([
    '{"question": "Who?"}',
    'x',
    '{"question":"a","right":["?"]}',
    '{"question":"a","right":["b"]}\n{"question":"a","right":["c"]}',
    ' '.repeat(1_000_001),
  ])('are refused otherwise', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
