import { describe, expect, it } from 'vitest';
import { withoutEmojis } from '../../../../src-main/learning/evaluation/verifiers/emoji.ts';
import { sentenceCount } from '../../../../src-main/learning/evaluation/verifiers/sentences.ts';
import { type Answered, lookedAt } from '../../../../src-main/learning/evaluation/verifiers/verifier.ts';
import { verifierOf, type Wish, wishSchema } from '../../../../src-main/learning/evaluation/verifiers/wish.ts';
import type { ProgramRun } from '../../../../src-main/sandbox/program-sandbox.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { scoredWords } from '../../../support/learning/scored-words.ts';

async function check(wish: Wish, answer: string | Answered) {
  const { score, passes } = await verifierOf(wishSchema.parse(wish)).check(
    typeof answer === 'string' ? { text: answer } : answer,
  );
  return { score, passes };
}

const yes = { score: 1, passes: true };
const no = { score: 0, passes: false };
const noEmoji: Wish = { kind: 'emoji', wanted: false };
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `Here is number ${at}, said in a few more words than ten.`).join(' ');

describe('no emoji', () => {
  it.each([
    ['Fresh from the oven 🍰😍🔥', 'Fresh from the oven'],
    ['Wave 👋🏽 to Ann 👩‍🚀, from 🇩🇪!', 'Wave to Ann, from!'],
    ['❤️ 1️⃣ and 2 #3 © 5 °C', ' and 2 #3 © 5 °C'],
  ])('takes them out of %s', async (text, without) => {
    expect(withoutEmojis(text)).toBe(without);
    expect((await verifierOf(noEmoji).check({ text: without })).passes).toBe(true);
  });

  it('looks for them in no time, whatever the spaces', () => {
    const spaces = ' '.repeat(1_000_000);
    expect(withoutEmojis(spaces)).toBe(spaces);
  });

  it.each(['Plain text.', '20 °C, © 2026 Quarry™, a → b, 3 # 4 * 5', 'Größe 5½', ''])('«%s» has none', async (text) =>
    expect(await check(noEmoji, text)).toEqual(yes),
  );
  it.each(['Hi 😊', '☀ sun', '🇩🇪', '1️⃣', '❤️', '👩‍🚀', '⭐'])('«%s» has one', async (text) =>
    expect(await check(noEmoji, text)).toEqual(no),
  );
});

describe('concise, as the original counts', () => {
  it.each([
    [1, 1, true],
    [3, 1, true],
    [4, 5 / 6, false],
    [6, 0.5, false],
    [9, 0, false],
    [12, 0, false],
  ])('%i sentences: %f', async (count, score, passes) => {
    const said = await check({ kind: 'concise' }, sentences(count));
    expect(said.score).toBeCloseTo(score);
    expect(said.passes).toBe(passes);
  });

  it('is nothing with fewer than ten words, and where it was cut off', async () => {
    expect(await check({ kind: 'concise' }, 'Because of the air.')).toEqual(no);
    expect(await check({ kind: 'concise' }, { text: sentences(2), finish: 'length' })).toEqual(no);
    expect(await check({ kind: 'concise' }, { text: sentences(2), finish: 'stop' })).toEqual(yes);
  });

  it.each([
    ['It costs 3.50 euros. Really!', 2],
    ['One', 1],
    ['Wait… what?! No.', 2],
    ['1. Apples\n2. Pears\n3. Plums', 3],
    ['- one\n- two', 2],
    ['First\n\nSecond', 2],
    ['🌱🌱🌱.', 0],
    ['', 0],
  ])('«%s» has %i', (text, count) => expect(sentenceCount(text)).toBe(count));

  it.each(['.', '?!', '\n', '\n \t', '。', '1. ', '\n1. '])(
    'are counted in time that grows with the text: %j',
    async (part) => {
      expect(await cpuMs(() => sentenceCount(`${part.repeat(40_000 / part.length)}x`))).toBeLessThan(1_000);
    },
  );
});

describe('names and words', () => {
  it('are words of their own, in whatever case', async () => {
    const kuro: Wish = { kind: 'phrase', phrase: 'Kuro' };
    expect(await check(kuro, "Hi, I'm KURO!")).toEqual(yes);
    expect(await check(kuro, 'Akira Kurosawa')).toEqual(no);
    expect(await check({ kind: 'phrase', phrase: 'C++ (new)' }, 'in c++ new')).toEqual(yes);
    expect(await check({ ...kuro, wanted: false }, 'Nobody')).toEqual(yes);
    expect(await check({ ...kuro, place: 'start' }, 'Kuro here')).toEqual(yes);
    expect(await check({ ...kuro, place: 'end' }, 'Kuro here')).toEqual(no);
  });
});

describe('own regular expressions', () => {
  it('are found, or not', async () => {
    expect(await check({ kind: 'pattern', pattern: '^\\d+$' }, 'a\n12\nb')).toEqual(yes);
    expect(await check({ kind: 'pattern', pattern: 'x', wanted: false }, 'X')).toEqual(yes);
    expect(await check({ kind: 'pattern', pattern: 'x', ignoreCase: true }, 'X')).toEqual(yes);
  });

  it.each(['(a+)+$', '(a|a)*$', '(.*a){12}$', 'a?'.repeat(40) + 'a'.repeat(40)])('do not hang: %s', async (pattern) => {
    const checked = () => check({ kind: 'pattern', pattern }, `${'a'.repeat(15_999)}!`);
    expect(await cpuMs(checked)).toBeLessThan(2_000);
  });

  it.each(['(', '(?=a)', '(a)\\1', '(?:a|b|c){1000}'.repeat(20), '((a{100}){100}){100}'])('refuses %s', (pattern) => {
    expect(() => verifierOf({ kind: 'pattern', pattern })).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });
});

describe('JSON', () => {
  const person: Wish = {
    kind: 'json',
    schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  };
  it('may be fenced, and has to be of the shape', async () => {
    expect(await check({ kind: 'json' }, ' {"a": 1} ')).toEqual(yes);
    expect(await check({ kind: 'json' }, '```json\n[1]\n```')).toEqual(yes);
    expect(await check({ kind: 'json' }, 'Sure: {"a": 1}')).toEqual(no);
    expect(await check({ kind: 'json' }, '['.repeat(5_000))).toEqual(no);
    expect(await check(person, '{"name": "Ada"}')).toEqual(yes);
    expect(await check(person, '{"name": 1}')).toEqual({ score: 0.5, passes: false });
  });

  it('is looked for in time that grows with the answer', async () => {
    const checked = () => check({ kind: 'json' }, `\`\`\`${'\n'.repeat(15_900)}x`);
    expect(await cpuMs(checked)).toBeLessThan(250);
  });

  it('does not hang on a hostile schema', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect((await check({ kind: 'json', schema }, JSON.stringify(`${'a'.repeat(40)}!`))).passes).toBe(false);
  });
});

describe('marks and languages', () => {
  it('sees lists, headings and the like', async () => {
    const none = (...marks: ('bullets' | 'bold' | 'headings' | 'exclamations')[]): Wish => ({
      kind: 'marks',
      marks,
      wanted: false,
    });
    expect(await check(none('bullets'), 'A:\n- one\n- two')).toEqual(no);
    expect(await check(none('bullets'), 'well-known – 3.5 and -2')).toEqual(yes);
    expect(await check(none('bold', 'headings'), '# Title')).toEqual(no);
    expect(await check(none('exclamations'), 'Fine.')).toEqual(yes);
  });

  it('tells German from English', async () => {
    const german: Wish = { kind: 'language', language: 'de' };
    expect((await check(german, 'Der Himmel ist blau, weil das Licht in der Luft gestreut wird.')).passes).toBe(true);
    expect((await check(german, 'The sky is blue because of the light that is scattered.')).passes).toBe(false);
    expect((await check(german, 'Paris.')).passes).toBe(true);
    expect(await check(german, '')).toEqual(no);
  });
});

describe('own checks in Python', () => {
  const verify = (run: ProgramRun | undefined) =>
    verifierOf({ kind: 'python', program: 'x' }, { sandbox: { run: async () => (run ? [run] : []) } }).check({
      text: 'a',
    });
  const printed = (stdout: string): ProgramRun => ({ outcome: 'ran', stdout, stderr: '', truncated: false });

  it.each([
    ['talk\ntrue\n', 1, true],
    ['false', 0, false],
    ['0.4', 0.4, false],
    ['{"score": 0.2, "passes": true}', 0.2, true],
    ['7', 0, false],
    ['', 0, false],
  ])('%s', async (stdout, score, passes) => expect(await verify(printed(stdout))).toMatchObject({ score, passes }));

  it('fail where they take too long or end', async () => {
    expect(await verify({ outcome: 'late' })).toMatchObject(no);
    expect(await verify({ outcome: 'died', reason: 'x' })).toMatchObject(no);
    expect(await verify(undefined)).toMatchObject(no);
  });

  it('needs a sandbox', () => {
    expect(() => verifierOf({ kind: 'python', program: 'x' })).toThrow(
      expect.objectContaining({ code: 'ENGINE_UNAVAILABLE' }),
    );
  });
});

it('several at once are as good as the worst', async () => {
  const both: Wish = {
    kind: 'all',
    of: [
      { kind: 'emoji', wanted: false },
      { kind: 'phrase', phrase: 'Kuro' },
    ],
  };
  expect(await check(both, 'I am Kuro.')).toEqual(yes);
  expect(await check(both, 'I am Kuro 😊')).toEqual(no);
  expect(await check(both, 'I am nobody')).toEqual(no);
});

it('sees nothing of what a model thought', () => {
  expect(lookedAt('<think>😊</think>\nHello')).toBe('Hello');
  expect(lookedAt('hm</think> Hello ')).toBe('Hello');
  expect(lookedAt('<|channel|>analysis<|message|>😊<|end|><|channel|>final<|message|>Hello<|return|>')).toBe('Hello');
});

it('an answer is like the teacher’s where the feedback makes it likelier', async () => {
  const score = async (messages: readonly { content: string }[]) =>
    scoredWords('two words', messages.some(({ content }) => content.includes('FEEDBACK')) ? -2 : -3);
  const teacher = { asked: { score }, withFeedback: () => [{ role: 'user' as const, content: 'FEEDBACK' }] };
  const verdict = await verifierOf({ kind: 'likeness' }, { teacher }).check({
    text: 'a',
    messages: [{ role: 'user', content: 'q' }],
  });
  expect(verdict.passes).toBe(true);
  expect(verdict.score).toBeGreaterThan(0.9);
});
