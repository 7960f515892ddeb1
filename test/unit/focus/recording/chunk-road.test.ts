import { expect, it, vi } from 'vitest';
import { notLive } from '../../../../src-main/focus/focus-problems.ts';
import { chunkRoad } from '../../../../src-main/focus/recording/chunk-road.ts';
import { CHUNK_KEY_HEADER } from '../../../../src-preload/contract/focus-limits.ts';

const recorder = {
  checkKey(token: string) {
    if (token !== 'right') throw notLive();
  },
  take: vi.fn(async () => ({ nextChunk: 1, ended: null })),
};

/** @returns what the road says, and how much of the body was read */
async function handed(key: string) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read++;
        if (read > 3) controller.close();
        else controller.enqueue(new Uint8Array(10));
      },
    },
    { highWaterMark: 0 },
  );
  const url = 'http://127.0.0.1/focus/chunks?part=0&chunk=0&activeMs=1000&motion=1';
  const init: RequestInit = { method: 'POST', body, duplex: 'half', headers: { [CHUNK_KEY_HEADER]: key } };
  return { status: (await chunkRoad(recorder, new Request(url, init))).status, read };
}

it('reads nothing of a chunk whose key is not that of the recording', async () => {
  expect(await handed('right')).toEqual({ status: 200, read: 4 });
  expect(await handed('wrong')).toEqual({ status: 401, read: 0 });
  expect(recorder.take).toHaveBeenCalledTimes(1);
});
