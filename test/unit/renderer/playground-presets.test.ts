import { describe, expect, it } from 'vitest';
import type { AskOptions, Preset } from '../../../src-preload/contract/conversations.ts';
import { presetOf, settingsOf, withPreset } from '../../../src-renderer/pages/playground/ask-settings/preset-choice.ts';
import { fileNameOf, markdownOf } from '../../../src-renderer/pages/playground/conversations/export-conversation.ts';

const poet: Preset = { name: 'Poet', options: { system: 'As a poet.', temperature: 1.4 } };
const options: AskOptions = { target: 'mesh', model: 'm', topK: 3 };

describe('a preset', () => {
  it('takes the place of all that was set, and leaves who answers', () => {
    expect(withPreset(options, poet)).toEqual({ target: 'mesh', model: 'm', ...poet.options });
    expect(withPreset({ target: 'local' }, poet)).toEqual({ target: 'local', ...poet.options });
  });

  it('is the one that is set as long as nothing was changed, in whatever order', () => {
    const set: AskOptions = { temperature: 1.4, target: 'local', system: 'As a poet.', seed: undefined };
    expect(presetOf(set, [{ name: 'None', options: {} }, poet])).toBe(poet);
    expect(presetOf({ ...set, seed: 1 }, [poet])).toBeUndefined();
    expect(presetOf(options, [poet])).toBeUndefined();
    expect(settingsOf(options)).toEqual({ topK: 3 });
  });
});

describe('an exported conversation', () => {
  const speakers = { you: 'You', answer: 'Answer', titleOf: (name: string) => name.toUpperCase() };
  const conversation = { id: 'a', title: 'Why?', createdAt: 1, updatedAt: 1, options: { target: 'local' } } as const;
  const figures = { tokens: 1, firstTokenMs: 1, totalMs: 1, tokensPerSecond: 1, paid: [], error: null };
  const answer = { state: 'done' as const, target: 'local' as const, worker: null, ...figures };

  it('says who spoke, and leaves out what has no words', () => {
    const turns = [
      { id: 1, role: 'user', text: 'Why? ', at: 1, answer: null } as const,
      { id: 2, role: 'assistant', text: 'So.\n', at: 1, answer: { ...answer, model: 'm' } } as const,
      { id: 3, role: 'assistant', text: 'Or so.', at: 1, answer: { ...answer, model: null } } as const,
      { id: 4, role: 'assistant', text: '', at: 1, answer: { ...answer, model: null } } as const,
    ];
    const system = { ...conversation, options: { ...conversation.options, system: 'Be brief.\nBe kind.' } };
    expect(markdownOf({ conversation: system, turns }, speakers)).toBe(
      '# Why?\n\n> Be brief.\n> Be kind.\n\n## You\n\nWhy?\n\n## M\n\nSo.\n\n## Answer\n\nOr so.\n',
    );
  });

  it.each([
    ['Why? And how: «so»/../etc', 'Why-And-how-so-etc'],
    ['Über größere Häuser', 'Über-größere-Häuser'],
    ['…', 'conversation'],
    ['word '.repeat(40), `${'word-'.repeat(12)}`],
  ])('%j has a file name that every system takes', (title, name) => expect(fileNameOf({ title })).toBe(name));
});
