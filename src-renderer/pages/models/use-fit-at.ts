import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelFit } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import type { ModelRow } from './model-rows.ts';

/** How a model would run with another context than the settings say. */
export interface FitAt {
  fit: ModelFit | null;
  /** Tokens; what the settings say until it was changed. */
  contextSize: number | undefined;
  changed: boolean;
  setContextSize: (tokens: number) => void;
}

/** Asks main again for another context; what was known stays until the answer is there. */
export function useFitAt({ name, fit }: ModelRow): FitAt {
  const [wanted, setWanted] = useState<{ name: string; tokens: number }>();
  const tokens = wanted?.name === name ? wanted.tokens : undefined;
  const changed = tokens !== undefined && tokens !== fit?.contextSize;
  const { data } = useAnswer(
    api.models.show.queryOptions({
      input: changed ? { name, contextSize: tokens } : { name },
      enabled: changed,
      placeholderData: keepPreviousData,
    }),
  );
  return {
    fit: (changed && data?.name === name && data.fit) || fit,
    contextSize: tokens ?? fit?.contextSize,
    changed,
    setContextSize: (next) => setWanted({ name, tokens: next }),
  };
}
