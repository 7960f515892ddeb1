import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import type { Span } from '../../src-main/clips/media/media.ts';
import { ClipSpeech } from '../../src-main/clips/models/clip-speech.ts';
import { diarisationError } from '../../src-main/subnets/omega/clips/sound/diarisation-error.ts';
import { espeak, speak } from '../support/fake-world/speech.ts';
import { realVoiceModel, realWordsModel } from '../support/real-speech-models.ts';
import { tinyModel } from '../support/tiny-clip-models.ts';

const never = new AbortController().signal;
const voice = await realVoiceModel();
const writer = await realWordsModel();
const canSpeak = espeak() !== undefined;
if (!canSpeak) process.stderr.write('\n!!! skipped: there is no espeak-ng, which speaks for these tests.\n\n');

/** Seconds that lie in both. */
const together = (one: readonly Span[], other: readonly Span[]) =>
  one
    .flatMap((a) => other.map((b) => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from))))
    .reduce((sum, seconds) => sum + seconds, 0);
const secondsOf = (spans: readonly Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0);

describe.skipIf(!voice || !canSpeak)('when somebody speaks', () => {
  const speech = new ClipSpeech({ voice: voice ?? null, words: null, speakers: null });
  afterAll(() => speech.close());

  it('is heard, and that nobody does', async () => {
    const { sound, turns } = await speak({ seconds: 40, rate: 16_000 }, ['anna', 'ben'], seededRandom(3));
    const silence = { samples: new Float32Array(16_000 * 20), rate: 16_000 };
    const spans = (await speech.voice?.spans(sound, never)) ?? [];
    expect(together(spans, turns) / secondsOf(turns)).toBeGreaterThan(0.9);
    expect(together(spans, turns) / secondsOf(spans)).toBeGreaterThan(0.85);
    expect(await speech.voice?.spans(silence, never)).toEqual([]);
    expect(await speech.voice?.spans(sound, never)).toEqual(spans);
  });
});

describe.skipIf(!voice || !writer || !canSpeak)('what is said', () => {
  const speech = new ClipSpeech({ voice: voice ?? null, words: writer ?? null, speakers: null });
  afterAll(() => speech.close());

  it('is written down with when it is said, and nothing of silence', async () => {
    const said = [
      'Today we look at how bread is made at home.',
      'Turn left at the church, and you will see the market.',
    ];
    const spoken = await speak({ seconds: 7.5, rate: 16_000 }, ['ben'], seededRandom(3), said);
    const words = (await speech.words?.words(spoken.sound, never)) ?? [];
    const heard = wordsIn(words.map((one) => one.words).join(' '));
    const wanted = wordsIn(spoken.words.map((one) => one.words).join(' '));
    expect(wanted.filter((word) => heard.includes(word)).length / wanted.length).toBeGreaterThan(0.75);
    expect(together(words, spoken.words) / secondsOf(spoken.words)).toBeGreaterThan(0.9);
    const silence = { samples: new Float32Array(16_000 * 5), rate: 16_000 };
    expect(await speech.words?.words(silence, never)).toEqual([]);
  });
});

describe.skipIf(!canSpeak)('who speaks when', () => {
  it('is heard by models that know the voices of the synthesiser', async () => {
    const speakers = await tinyModel('tiny-speakers', 'speakers');
    await using speech = own(new ClipSpeech({ voice: null, words: null, speakers }));
    for (const [voices, seed] of [
      [['anna', 'ben'], 3],
      [['anna'], 4],
      [['ben', 'anna'], 5],
    ] as const) {
      const spoken = await speak({ seconds: 40, rate: 16_000 }, voices, seededRandom(seed));
      const turns = (await speech.speakers?.turns(spoken.sound, never)) ?? [];
      expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(voices.length);
      expect(diarisationError(spoken.turns, turns).rate).toBeLessThan(0.2);
    }
    expect(await speech.speakers?.turns({ samples: new Float32Array(16_000 * 3), rate: 16_000 }, never)).toEqual([]);
  });
});

describe('models of speech', () => {
  it('that are none are named, and others go on being asked', async () => {
    const voices = await tinyModel('tiny-speakers', 'speakers');
    const speakers = structuredClone(voices);
    speakers.manifest.files.embedding.sha256 = '0'.repeat(64);
    await using speech = own(new ClipSpeech({ voice: null, words: null, speakers }));
    const sound = { samples: new Float32Array(16_000), rate: 16_000 };
    const refused = { code: 'MODEL_INVALID', message: expect.stringContaining('embedding.onnx') };
    await expect(speech.speakers?.turns(sound, never)).rejects.toMatchObject(refused);
    await expect(speech.speakers?.turns({ ...sound, rate: 8_000 }, never)).rejects.toThrow('8000');
    expect(speech.words).toBeNull();
  });
});

const own = (speech: ClipSpeech) => Object.assign(speech, { [Symbol.asyncDispose]: () => speech.close() });

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];
