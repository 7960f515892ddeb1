import { type RefObject, useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { useConnection } from '../../../api/connection.ts';
import { ignoring } from '../../../api/ignoring.ts';
import { onThereAgain } from '../../../api/there-again.ts';

/** So many new ways in a row are tried before a person is asked. */
const MOST_TRIES = 5;
/** Before the first of them; longer before each further one. */
const PAUSE_MS = 500;
/** What breaks after so long is no more the trouble of before. */
const GOOD_FOR_MS = 10_000;
/** Later than any time. */
const NOT_LOADED = Number.POSITIVE_INFINITY;

/** Where a video is, and whether it goes on from there once it can be read. */
interface Mark {
  seconds: number;
  isPlaying: boolean;
}

/** Why a video cannot be read. */
export interface VideoTrouble {
  /** A new way is being asked for. */
  isMending: boolean;
  /** What the node says against it; undefined where it is the browser that cannot read it. */
  error: unknown;
}

/** The way to a video, which ends with the node and after an hour: then a new one is asked for, and the video is where it was. */
export interface VideoWay {
  src: string;
  /** Undefined while all is well. */
  trouble: VideoTrouble | undefined;
  /** Where it goes on: who moves or stops it while it cannot be read says so here. */
  mark: RefObject<Mark>;
  /** Tries as often again. */
  retry: () => void;
  /** To be spread over the video. */
  handlers: { onError: () => void; onLoadedMetadata: () => void; onTimeUpdate: () => void; onSeeking: () => void };
}

/** @param first the way that was given already  @param plays whether it begins to play by itself */
export function useVideoWay(
  video: RefObject<HTMLVideoElement | null>,
  { id, first, plays }: { id: string; first: string; plays: boolean },
): VideoWay {
  const [src, setSrc] = useState(first);
  const [trouble, setTrouble] = useState<VideoTrouble>();
  const mark = useRef<Mark>({ seconds: 0, isPlaying: plays });
  const tries = useRef(0);
  const loadedAt = useRef(NOT_LOADED);
  const isMending = useRef(false);
  const closed = useClosed();
  const mend = async () => {
    if (isMending.current) return;
    isMending.current = true;
    setTrouble({ isMending: true, error: undefined });
    const { way, error } = await newWay(id, tries, closed.current.signal);
    isMending.current = false;
    if (way === undefined) setTrouble({ isMending: false, error });
    else setSrc(way);
  };
  const keepMark = () => {
    const element = video.current;
    // One that is loaded anew is at its beginning for a moment.
    if (!element || element.readyState === element.HAVE_NOTHING || element.error) return;
    mark.current = { seconds: element.currentTime, isPlaying: !element.paused };
  };
  return {
    src,
    trouble,
    mark,
    retry: () => {
      tries.current = 0;
      void mend();
    },
    handlers: {
      onError: () => {
        if (performance.now() - loadedAt.current > GOOD_FOR_MS) tries.current = 0;
        loadedAt.current = NOT_LOADED; // once only: else whatever breaks slowly would be tried without end
        void mend();
      },
      onLoadedMetadata: () => {
        loadedAt.current = performance.now();
        setTrouble(undefined);
        if (video.current) goOnAt(video.current, mark.current);
      },
      onTimeUpdate: keepMark,
      onSeeking: keepMark,
    },
  };
}

/**
 * Has a video made ready.
 * @param onDone told how far that is, from 0 to 1
 * @returns where it is fetched
 */
export async function wayTo(id: string, onDone: (done: number) => void): Promise<string> {
  for await (const { done } of await client.focus.prepare({ id })) onDone(done);
  return (await client.focus.view({ id })).path;
}

/** Tries until there is a way, as often as is left to be tried; while the node is away, it waits. */
async function newWay(id: string, tries: RefObject<number>, signal: AbortSignal) {
  let error: unknown;
  while (tries.current < MOST_TRIES && !signal.aborted) {
    tries.current++;
    await pause(PAUSE_MS * tries.current);
    await untilThere(signal);
    try {
      return { way: await wayTo(id, () => undefined), error };
    } catch (cause) {
      error = cause;
    }
  }
  return { way: undefined, error };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Resolves while the node is there, and when nobody waits any more. */
async function untilThere(signal: AbortSignal): Promise<void> {
  if (signal.aborted || useConnection.getState().state === 'open') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onThereAgain(resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  stop();
}

function goOnAt(element: HTMLVideoElement, { seconds, isPlaying }: Mark): void {
  if (seconds > 0) element.currentTime = seconds;
  if (isPlaying) void element.play().catch(ignoring('the browser wants somebody to press for it'));
}

/** Aborted when what uses it is gone. */
function useClosed(): RefObject<AbortController> {
  const closed = useRef(new AbortController());
  useEffect(() => {
    if (closed.current.signal.aborted) closed.current = new AbortController();
    return () => closed.current.abort();
  }, []);
  return closed;
}
