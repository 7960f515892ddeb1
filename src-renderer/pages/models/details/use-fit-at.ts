import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import type { ModelRow } from '../model/model-rows.ts';

/** What can be tried otherwise than the settings say. */
export interface Tried {
  /** Tokens. */
  contextSize?: number;
  /** On the graphics card; −1 is as many as fit. */
  gpuLayers?: number;
}

/** How a model would run with other settings. */
export interface FitAt {
  fit: ModelFit | null;
  /** Tokens; what the settings say until it was changed. */
  contextSize: number | undefined;
  /** What was changed: empty until then. */
  tried: Tried;
  tryOut: (more: Tried) => void;
}

/** Asks main again for other settings; what was known stays until the answer is there. */
export function useFitAt({ name, fit }: ModelRow): FitAt {
  const [wanted, setWanted] = useState<{ name: string; tried: Tried }>();
  const tried = wanted?.name === name ? wanted.tried : {};
  const changed = Object.keys(tried).length > 0;
  const { data } = useAnswer(
    api.models.show.queryOptions({ input: { name, ...tried }, enabled: changed, placeholderData: keepPreviousData }),
  );
  return {
    fit: (changed && data?.name === name && data.fit) || fit,
    contextSize: tried.contextSize ?? fit?.contextSize,
    tried,
    tryOut: (more) => setWanted({ name, tried: withoutUsual({ ...tried, ...more }, fit) }),
  };
}

/** The context that is set anyway is none that is tried. */
function withoutUsual({ contextSize, ...tried }: Tried, fit: ModelFit | null): Tried {
  return contextSize === undefined || contextSize === fit?.contextSize ? tried : { contextSize, ...tried };
}
