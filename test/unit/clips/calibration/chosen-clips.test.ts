import { expect, it } from 'vitest';
import { chosenClips } from '../../../../src-main/clips/calibration/chosen-clips.ts';
import type { ClipOfVideo } from '../../../../src-main/store/clips/clips.ts';

const NEVER = new AbortController().signal;
const rowOf = (number: number, video: string, space: string | null = 's'): ClipOfVideo => ({
  ...{ number, clip: `${number}`, source: 'commons', video, space },
});

/** The newest first, in pages; tells how many were asked for. */
function storeOf(rows: readonly ClipOfVideo[]) {
  const asked: number[] = [];
  return {
    asked,
    videosOf: async (before: number | undefined, limit: number) => {
      const found = rows.filter(({ number }) => number < (before ?? Number.POSITIVE_INFINITY)).slice(0, limit);
      asked.push(found.length);
      return found;
    },
  };
}

it('takes the newest clip of each video that is numbers of these models', async () => {
  const rows = [
    rowOf(6, 'a'),
    rowOf(5, 'b', 'other'),
    rowOf(4, 'c', null),
    rowOf(3, 'b'),
    rowOf(2, 'a'),
    rowOf(1, 'd'),
  ];
  expect(await chosenClips(storeOf(rows), 's', NEVER)).toEqual(['6', '3', '1']);
  expect(await chosenClips(storeOf([]), 's', NEVER)).toEqual([]);
});

it('takes videos for others that are called the same in two sources', async () => {
  const rows = [rowOf(2, 'a'), { ...rowOf(1, 'a'), source: 'archive' as const }];
  expect(await chosenClips(storeOf(rows), 's', NEVER)).toEqual(['2', '1']);
});

it('takes no more than enough, evenly from all, and looks at no more of a library than some thousands', async () => {
  const many = storeOf(Array.from({ length: 1_500 }, (_, at) => rowOf(1_500 - at, `v${at}`)));
  const chosen = await chosenClips(many, 's', NEVER);
  expect(chosen).toEqual(Array.from({ length: 150 }, (_, at) => `${1_500 - 10 * at}`));
  const large = storeOf(Array.from({ length: 30_000 }, (_, at) => rowOf(30_000 - at, `v${at % 3}`)));
  expect((await chosenClips(large, 's', NEVER)).length).toBe(3);
  expect(large.asked.reduce((sum, one) => sum + one)).toBe(20_000);
});

it('ends where it is told to', async () => {
  await expect(chosenClips(storeOf([rowOf(1, 'a')]), 's', AbortSignal.abort(new Error('enough')))).rejects.toThrow(
    'enough',
  );
});
