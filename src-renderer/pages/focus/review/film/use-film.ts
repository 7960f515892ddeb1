import { useState } from 'react';
import type { StripStep, VideoStrip } from '../../../../../src-preload/contract/focus.ts';
import { api, client } from '../../../../api/client.ts';
import { useAnswer } from '../../../../api/use-answer.ts';

/** Small pictures of a video, and where something else begins to be on the screen. */
export interface FilmView {
  strip: VideoStrip | undefined;
  /** Milliseconds; undefined before they are known. */
  chapters: readonly number[] | undefined;
  /** How far the pictures are, from 0 to 1. */
  done: number;
  error: unknown;
  /** The pictures are there, and cannot be shown. */
  isBroken: boolean;
  retry: () => void;
  /** To be told of a picture that cannot be shown. */
  onBroken: () => void;
}

/** Asks for both; the first who does has them made, which takes a while. @param id of a recording whose video was prepared */
export function useFilm(id: string): FilmView {
  const [done, setDone] = useState(0);
  const [broken, setBroken] = useState<string>();
  const strip = useAnswer({
    queryKey: [...api.focus.strip.key(), id],
    queryFn: async ({ signal }) => await stripOf(await client.focus.strip({ id }, { signal }), setDone),
    // The way to them ends after an hour: who looks anew asks anew.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  });
  const chapters = useAnswer(
    api.focus.chapters.queryOptions({ input: { id }, enabled: strip.data !== undefined, gcTime: 0 }),
  );
  const path = strip.data?.path;
  return {
    strip: strip.data,
    chapters: chapters.data?.atMs,
    done,
    error: strip.error ?? chapters.error,
    isBroken: path !== undefined && broken === path,
    retry: () => void (chapters.error && !strip.error ? chapters.refetch() : strip.refetch()),
    onBroken: () => setBroken(path),
  };
}

async function stripOf(steps: AsyncIterable<StripStep>, onDone: (done: number) => void): Promise<VideoStrip> {
  let made: VideoStrip | undefined;
  for await (const step of steps) {
    if (step.type === 'progress') onDone(step.done);
    else made = step.strip;
  }
  if (!made) throw new Error('The small pictures did not come.');
  return made;
}
