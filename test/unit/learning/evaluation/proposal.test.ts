import { describe, expect, it } from 'vitest';
import { proposeWish } from '../../../../src-main/learning/evaluation/verifiers/proposal.ts';
import type { Wish } from '../../../../src-main/learning/evaluation/verifiers/wish.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

const most = (unit: 'sentences' | 'words' | 'characters', count: number): Wish => ({
  kind: 'length',
  unit,
  most: count,
});
const noEmoji: Wish = { kind: 'emoji', wanted: false };
const bullets = (wanted: boolean): Wish => ({ kind: 'marks', marks: ['bullets'], wanted });

describe('what a feedback wants', () => {
  it.each<[string, Wish]>([
    ["don't use any emojis", noEmoji],
    ['No emoji please.', noEmoji],
    ['Bitte keine Emojis mehr', noEmoji],
    ['ohne Smileys', noEmoji],
    ['Use more emojis!', { kind: 'emoji', wanted: true }],
    ['be shorter', most('sentences', 3)],
    ['Too long.', most('sentences', 3)],
    ['Bitte kürzer.', most('sentences', 3)],
    ['Zu lang!', most('sentences', 3)],
    ['more concise, under 3 sentences', most('sentences', 2)],
    ['Answer in one sentence.', most('sentences', 1)],
    ['at most 50 words', most('words', 50)],
    ['höchstens zwei Sätze', most('sentences', 2)],
    ['In maximal 20 Wörtern, bitte', most('words', 20)],
    ['weniger als 100 Zeichen', most('characters', 99)],
    ['über 30 Wörter', { kind: 'length', unit: 'words', least: 31 }],
    ['exactly two sentences', { kind: 'length', unit: 'sentences', least: 2, most: 2 }],
    ['your name is Kuro', { kind: 'phrase', phrase: 'Kuro' }],
    ["You are called 'Ada Lovelace'.", { kind: 'phrase', phrase: 'Ada Lovelace' }],
    ['your name is kuro', { kind: 'phrase', phrase: 'kuro' }],
    ['Du heißt Kuro.', { kind: 'phrase', phrase: 'Kuro' }],
    ['My name is Zoë', { kind: 'phrase', phrase: 'Zoë' }],
    ['answer in German', { kind: 'language', language: 'de' }],
    ['Bitte auf Deutsch antworten', { kind: 'language', language: 'de' }],
    ['Reply as JSON.', { kind: 'json' }],
    ['nur gültiges JSON', { kind: 'json' }],
    ['without bullet points', bullets(false)],
    ['Keine Aufzählungen', bullets(false)],
    ['Use a bulleted list', { kind: 'marks', marks: ['bullets'], wanted: true }],
    ['ohne Überschriften', { kind: 'marks', marks: ['headings'], wanted: false }],
    ['stop using the word "delve"', { kind: 'phrase', wanted: false, phrase: 'delve' }],
    ['start with «Dear friend»', { kind: 'phrase', place: 'start', phrase: 'Dear friend' }],
    ['be shorter and without emojis', { kind: 'all', of: [noEmoji, { kind: 'length', unit: 'sentences', most: 3 }] }],
  ])('%s', (feedback, wish) => {
    const proposal = proposeWish(feedback);
    expect(proposal?.wish).toEqual(wish);
  });

  it.each([
    'This is wrong.',
    'your name is wrong',
    'Paris is not in Germany',
    'be more friendly',
    'das stimmt nicht',
    'Answer my question!',
    '',
  ])('makes no rule of «%s»', (feedback) => expect(proposeWish(feedback)).toBeUndefined());

  it('takes «shorter» from the answer that it was said of', () => {
    expect(proposeWish('shorter', { answer: 'One. Two.' })?.wish).toEqual(most('sentences', 1));
    expect(proposeWish('shorter', { answer: 'A. B. C. D. E. F.' })?.wish).toEqual(most('sentences', 3));
  });

  it.each(['«'.repeat(100_000), 'no '.repeat(50_000), 'your name is '.repeat(20_000), "say '".repeat(30_000)])(
    'is soon done with a hostile text: %.5s …',
    async (bad) => expect(await cpuMs(() => proposeWish(bad))).toBeLessThan(1_000),
  );
});
