import { expect, it } from 'vitest';
import { MOST_OF_CLIPS, readClips } from '../../../../../../src-main/subnets/omega/clips/synapse/handed-in.ts';
import { handInText, readHandedIn } from '../../../../../../src-main/subnets/omega/clips/synapse/mesh-clips.ts';
import type { ClipQuestion } from '../../../../../../src-main/subnets/omega/clips/synapse/serve-clips.ts';
import { honestClip, honestSound, soundsText, videosText } from '../../../../../support/handed-in.ts';

const NOTHING = JSON.stringify({ list: null });
const clips = Array.from({ length: 8 }, (_, at) => honestClip(`owls night:${at}`));
const sounds = Array.from({ length: 4 }, (_, at) => honestSound(`owls night:${at}`));

function handed(of: 'videos' | 'sounds', topic = 'owls') {
  const asked: ClipQuestion[] = [];
  const worker = {
    videos: async (question: ClipQuestion) => {
      asked.push(question);
      return clips;
    },
    sounds: async (question: ClipQuestion) => {
      asked.push(question);
      return sounds;
    },
  };
  const { signal } = new AbortController();
  return { asked, text: handInText(worker, { of, topic, count: 8, asker: 'node', signal }) };
}

it('what is handed in as a text is read as what an axon hands in', async () => {
  expect(readHandedIn('videos', await handed('videos').text)).toBe(videosText(clips));
  expect(readHandedIn('sounds', await handed('sounds').text)).toBe(soundsText(sounds));
});

it('who has clips is asked as an axon asks', async () => {
  const { asked, text } = handed('videos', '  owls at night ');
  await text;
  expect(asked).toMatchObject([{ topic: 'owls at night', count: 8, asker: 'node' }]);
});

it.each<[string, string]>([
  ['no JSON', '[{'],
  ['nothing', ''],
  ['no list', '{"list":[]}'],
  ['too many bytes', `["${'a'.repeat(MOST_OF_CLIPS.bytes)}"]`],
  ['too many entries', `[${'0,'.repeat(MOST_OF_CLIPS.marks + 1)}0]`],
  ['too many lists within one another', `[${'[[[[[[[[]]]]]]]],'.repeat(1_000)}0]`],
  ['too many objects', `[${'{},'.repeat(2_000)}0]`],
  ['what nests too deep', `${'['.repeat(100)}${']'.repeat(100)}`],
])('%s is no list, and nothing of it is kept', (_, text) => {
  const read = readHandedIn('videos', text);
  expect(read).toBe(NOTHING);
  expect(readClips(read)).toEqual({ fault: 'list', entry: 0 });
});

it('what nobody asked for is left out before anything is kept', async () => {
  const list = JSON.parse(await handed('videos').text) as object[];
  const padded = list.map((entry) => ({ ...entry, audio_bytes: 'a'.repeat(10_000), note: 'buy this' }));
  expect(readHandedIn('videos', JSON.stringify(padded))).toBe(videosText(clips));
});
