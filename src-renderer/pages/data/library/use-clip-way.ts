import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { type Answer, useAnswer } from '../../../api/use-answer.ts';

/** A way is good for an hour. */
const GOOD_FOR_MS = 50 * 60_000;
/** So many new ways are tried before a person is told. */
const MOST_TRIES = 2;

interface Way {
  video: string;
  poster: string;
}

export interface ClipWay extends Pick<Answer<Way>, 'data' | 'error'> {
  /** Ways that were tried before this one. */
  tries: number;
  /** What the way leads to cannot be read, also by a new one. */
  isBroken: boolean;
  /** For whatever fetches from it: a new way is asked for, as ways end with the node. */
  onError: () => void;
  retry: () => void;
}

/** Where a clip and its picture are fetched. @param isWanted not asked for before */
export function useClipWay(clip: string, isWanted = true): ClipWay {
  const [tries, setTries] = useState(0);
  const { data, error, refetch } = useAnswer(
    api.data.play.queryOptions({
      input: { clip },
      enabled: isWanted,
      staleTime: GOOD_FOR_MS,
      gcTime: GOOD_FOR_MS,
    }),
  );
  const onError = () => {
    setTries((before) => before + 1);
    if (tries < MOST_TRIES) void refetch();
  };
  const retry = () => {
    setTries(0);
    void refetch();
  };
  return { data, error, tries, isBroken: tries > MOST_TRIES, onError, retry };
}
