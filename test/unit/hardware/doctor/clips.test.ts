import { expect, it } from 'vitest';
import { checkClips } from '../../../../src-main/hardware/doctor/clips.ts';
import type { DataState } from '../../../../src-preload/contract/data.ts';

const ability = (name: 'media' | 'pictures', isReady: boolean) => ({
  ...{ ability: name, isReady, by: isReady ? 'x' : null },
  ...{ lost: isReady ? null : { text: `No ${name}.` }, hint: isReady ? null : { text: 'Fetch it.' } },
});
const state = (more: Partial<DataState>): Pick<DataState, 'abilities' | 'order' | 'clips' | 'fault'> => ({
  ...{ order: { topic: 'owls', sources: ['folder'], most: 5, made: 0 }, clips: 3, fault: null },
  ...{ abilities: [ability('media', true)], ...more },
});

it.each([
  ['skip', state({ order: null, clips: 0, abilities: [ability('media', false)] })],
  ['ok', state({})],
  ['fail', state({ abilities: [ability('media', false), ability('pictures', true)] })],
  ['warn', state({ abilities: [ability('media', true), ability('pictures', false)] })],
  ['warn', state({ fault: { text: 'The drive is full.' } })],
])('the doctor says %s', (status, now) => {
  expect(checkClips(now)).toMatchObject({ name: 'clips', status });
});

it('the doctor says which program is none', () => {
  expect(checkClips(state({ abilities: [ability('media', false)] }))).toMatchObject({
    found: 'No media.',
    advice: 'Fetch it.',
  });
});
