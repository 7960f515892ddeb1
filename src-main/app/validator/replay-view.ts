import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import type {
  OpenedResult,
  ReplayView,
  ResultsPage,
  ResultView,
} from '../../../src-preload/contract/validator-results.ts';
import { verify } from '../../mesh/transport/identity.ts';
import type { ListedResult, ListPage } from '../../store/results/result-list.ts';
import type { StoredResult } from '../../store/results/result-rows.ts';
import { replay, see } from '../../validation/replay.ts';
import type { Known } from './known-environments.ts';

export function resultView(result: ListedResult): ResultView {
  const { id, environment, miner, model, score, success, latencyMs, createdAt, environmentVersion } = result;
  return { id, environment, miner, model, score, success, ms: latencyMs, at: createdAt, version: environmentVersion };
}

export function pageView({ results, next }: ListPage): ResultsPage {
  return { results: results.map(resultView), next: next ? { at: next.createdAt, id: next.id } : null };
}

const VERDICTS = {
  same: say('validation.replay.same'),
  forged: say('validation.replay.forged'),
  gone: say('validation.replay.gone'),
  otherwise: say('validation.replay.otherwise'),
};

/** A result with its challenge, as it was signed. @throws BAD_REQUEST where there is no such result */
export async function openedResult(stored: StoredResult | undefined, id: number, known: Known): Promise<OpenedResult> {
  const result = there(stored, id);
  const { standing, signed, challenge } = await see(result, known, verify);
  const reason = signed?.reason ?? null;
  return {
    ...{ result, standing, prompt: challenge?.prompt ?? null, answer: signed?.answer ?? null },
    answerLength: signed?.answerLength ?? null,
    firstByteMs: signed?.firstByteMs ?? null,
    accuracy: signed?.accuracy ?? null,
    reason: reason && told({ text: reason }),
  };
}

/** Poses the challenge of a result again. @throws BAD_REQUEST where there is no such result */
export async function replayed(stored: StoredResult | undefined, id: number, known: Known): Promise<ReplayView> {
  const result = there(stored, id);
  const { verdict, prompt, answer, answerLength, firstByteMs, accuracy, reason } = await replay(result, known, verify);
  const lengths = { kept: answer?.length ?? 0, length: answerLength ?? 0 };
  const text = verdict === 'cut' ? say('validation.replay.cut', lengths) : VERDICTS[verdict];
  return {
    ...{ result: resultView(result), verdict, prompt, answer, answerLength, firstByteMs, accuracy },
    ...told({ text }),
    reason: reason && told({ text: reason }),
  };
}

function there(stored: StoredResult | undefined, id: number): StoredResult {
  if (stored) return stored;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('validation.noResult', { id }), field: 'id' });
}
