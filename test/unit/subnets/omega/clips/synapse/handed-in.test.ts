import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audioEntry, videoEntry } from '../../../../../../src-main/subnets/omega/clips/synapse/entries.ts';
import {
  handedInText,
  MOST_OF_CLIPS,
  readClips,
  readSounds,
} from '../../../../../../src-main/subnets/omega/clips/synapse/handed-in.ts';
import { vectorOf } from '../../../../../../src-main/subnets/omega/clips/synapse/vector-numbers.ts';

/* What a stranger hands in: OMEGA's fields and ours, and what is neither. */

const numbers = (length: number, seed = 1) => Array.from({ length }, (_, at) => Math.sin(seed * (at + 1)) / 20);
const vector = (length: number, seed = 1) => vectorOf(numbers(length, seed))!;
const OMEGAS = {
  ...{ video_id: 'dQw4w9WgXcQ', description: 'An owl turns its head.', views: 12, start_time: 0, end_time: 30 },
  ...{ video_emb: numbers(1_024), audio_emb: numbers(1_024, 2), description_emb: numbers(1_024, 3) },
};
const read = (entries: unknown) => readClips(handedInText('videos', entries));

it('reads what OMEGA’s miners send, and takes the id for one of YouTube', () => {
  expect(read([OMEGAS])).toMatchObject([
    {
      ...{ video: { source: 'ytdlp', id: 'dQw4w9WgXcQ' }, from: 0, to: 30, space: null, licence: 'unknown' },
      ...{ description: OMEGAS.description, seen: expect.any(Float32Array), heard: expect.any(Float32Array) },
    },
  ]);
});

it('reads what a node of its own kind sends, to the millisecond, with where it comes from', () => {
  const clip = {
    ...{
      source: 'commons' as const,
      id: 'File:Owl.webm',
      from: 12.5,
      to: 31.25,
      space: 'a@1+b@2',
      licence: 'by' as const,
    },
    ...{ attribution: 'Somebody', page: 'https://example.org/owl', description: 'An owl.' },
    ...{ seen: vector(512), heard: null, described: vector(512, 3) },
  };
  const [told] = read([videoEntry(clip)]) as Exclude<ReturnType<typeof readClips>, { fault: string }>;
  const { seen, ...about } = told!;
  expect(about).toEqual({
    ...{ video: { source: 'commons', id: 'File:Owl.webm' }, from: 12.5, to: 31.25, space: 'a@1+b@2', licence: 'by' },
    ...{ attribution: 'Somebody', page: 'https://example.org/owl', description: 'An owl.', heard: null },
  });
  const apart = seen.map((number, at) => Math.abs(number - clip.seen[at]!));
  expect(Math.max(...apart)).toBeLessThan(1e-5);
});

it('eight clips with three vectors of 1,024 numbers fit twice, also with as many digits as Python writes', () => {
  const description = 'owl '.repeat(1_000);
  const seventeen = Array.from({ length: 8 }, () => ({ ...OMEGAS, description }));
  const own = { source: 'commons' as const, id: 'i', licence: 'by' as const, attribution: '', page: null, space: 's' };
  const five = videoEntry({
    ...own,
    from: 0,
    to: 9,
    description,
    seen: vector(1_024),
    heard: vector(1_024),
    described: vector(1_024),
  });
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  expect(bytes(Array.from({ length: 8 }, () => five))).toBeLessThan(MOST_OF_CLIPS.bytes / 3);
  expect(bytes(seventeen)).toBeLessThan(MOST_OF_CLIPS.bytes * 0.7);
  const marks = JSON.stringify(seventeen).replace(/[^,:]/g, '').length;
  expect(marks).toBeLessThan(MOST_OF_CLIPS.marks / 2);
});

/** A second of each. */
const spokenBy = (speakers: number) => {
  const all = Array.from({ length: speakers }, (_, at) => at);
  return { diar_timestamps_start: all, diar_timestamps_end: all.map((at) => at + 1), diar_speakers: all.map(String) };
};

it('reads who speaks out of three lists', () => {
  const turns = [{ from: 0, to: 1.5, speaker: 'a' }];
  const sound = {
    source: 'commons' as const,
    id: 'i',
    licence: 'by' as const,
    attribution: '',
    page: null,
    space: 's',
  };
  const entry = audioEntry({ ...sound, from: 0, to: 60, heard: vector(512), turns });
  expect(readSounds(handedInText('sounds', [entry]))).toMatchObject([{ turns, to: 60 }]);
  for (const lists of [
    { diar_timestamps_start: [0, 1] },
    { diar_speakers: 'a' },
    { diar_timestamps_end: [-1] },
    { diar_timestamps_start: [2] },
    { diar_speakers: ['a'.repeat(65)] },
    spokenBy(17),
    { diar_timestamps_start: [9], diar_timestamps_end: [8] },
  ])
    expect(readSounds(handedInText('sounds', [{ ...entry, ...lists }]))).toMatchObject({ entry: 1 });
  expect(readSounds(handedInText('sounds', [{ ...entry, ...spokenBy(16) }]))).toHaveLength(1);
});

describe('refuses, and says why and where,', () => {
  it.each([
    ['no list', 'clips', { fault: 'list', entry: 0 }],
    ['nothing', undefined, { fault: 'list', entry: 0 }],
    ['a million entries', Array.from({ length: 1e6 }, () => 1), { fault: 'tooMany', entry: 0 }],
    ['an entry that is none', [OMEGAS, null], { fault: 'entry', entry: 2 }],
    ['no id', [{ ...OMEGAS, video_id: '' }], { fault: 'entry', entry: 1 }],
    ['an endless id', [{ ...OMEGAS, video_id: 'a'.repeat(501) }], { fault: 'entry', entry: 1 }],
    ['a source that there is not', [{ ...OMEGAS, source: 'elsewhere' }], { fault: 'entry', entry: 1 }],
    ['a span before the beginning', [{ ...OMEGAS, start_time: -1 }], { fault: 'entry', entry: 1 }],
    ['an endless span', [{ ...OMEGAS, end_time: JSON.parse('1e999') }], { fault: 'entry', entry: 1 }],
    [
      'an endless number',
      [{ ...OMEGAS, video_emb: JSON.parse(`[1e999${',1'.repeat(511)}]`) }],
      { fault: 'vector', entry: 1 },
    ],
    ['no number', [{ ...OMEGAS, video_emb: [...numbers(511), null] }], { fault: 'vector', entry: 1 }],
    ['words for numbers', [{ ...OMEGAS, video_emb: numbers(512).map(String) }], { fault: 'vector', entry: 1 }],
    ['zeros', [{ ...OMEGAS, video_emb: numbers(512).fill(0) }], { fault: 'vector', entry: 1 }],
    ['few numbers', [{ ...OMEGAS, video_emb: [1] }], { fault: 'vector', entry: 1 }],
    ['a million numbers', [{ ...OMEGAS, video_emb: numbers(1e6) }], { fault: 'vector', entry: 1 }],
    ['no vector', [{ ...OMEGAS, video_emb: undefined }], { fault: 'vector', entry: 1 }],
    ['a sound that is none', [{ ...OMEGAS, audio_emb: 'loud' }], { fault: 'vector', entry: 1 }],
  ])('%s', (_, entries, expected) => {
    expect(read(entries)).toEqual(expected);
  });

  it('whatever comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('videos', 'sounds'), (said, of) => {
        const text = handedInText(of as 'videos', said);
        for (const one of [readClips(text), readSounds(text)])
          if (!Array.isArray(one)) expect(one.fault).toBeTypeOf('string');
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void [readClips(text), readSounds(text)]));
  });
});

it('a sound that is an empty list is none, as OMEGA’s miners leave it out', () => {
  expect(read([{ ...OMEGAS, audio_emb: [] }])).toMatchObject([{ heard: null }]);
});

it('of a key that is there twice the last one counts, and a prototype is nothing', () => {
  const twice = JSON.parse(
    JSON.stringify(OMEGAS).replace('{', '{"__proto__":{"source":"commons"},"video_id":"another",'),
  );
  expect(read([twice])).toMatchObject([{ video: { source: 'ytdlp', id: 'dQw4w9WgXcQ' } }]);
});
