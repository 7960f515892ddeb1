import type { ErrorView } from '../../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import {
  keptOptimiserPlanSchema,
  type OptimiserAttempt,
  type OptimiserPlan,
  type OptimiserRun,
  optimiserStateSchema,
} from '../../../src-preload/contract/optimiser.ts';
import { USUAL } from '../../../src-preload/contract/optimiser-numbers.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { errorView } from '../../base/error-view.ts';
import { keptError, keptJson } from '../../base/kept-json.ts';
import type { OptimiserAttemptRow, OptimiserRunRow, OptimiserStore } from '../../store/optimiser.ts';

const DAMAGED = say('optimiser.damaged');
/** Shown in place of one that cannot be read: so it is told of, and can be removed. */
const NO_PLAN: OptimiserPlan = { target: { kind: 'local' }, ...USUAL };

const damaged = () => new QuarryError({ code: 'INTERNAL', message: DAMAGED });

/** @throws INTERNAL where it cannot be read any more */
export function planOf(kept: string): OptimiserPlan {
  const plan = keptJson(kept, keptOptimiserPlanSchema);
  if (!plan) throw damaged();
  return plan;
}

/** @throws BAD_REQUEST where there is none */
export async function keptRun(store: Pick<OptimiserStore, 'find'>, id: string): Promise<OptimiserRunRow> {
  const row = await store.find(id);
  if (row) return row;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('optimiser.none', { id }), hint: say('optimiser.list') });
}

/** A run, as people look at it; where something of it cannot be read any more, it says so. */
export function runView(row: OptimiserRunRow): OptimiserRun {
  const plan = keptJson(row.plan, keptOptimiserPlanSchema);
  const state = plan && optimiserStateSchema.safeParse(row.state).data;
  const isWhole = plan !== undefined && state !== undefined;
  const { id, created_at: createdAt, ended_at: endedAt, model, iterations, attempts, model_tokens: modelTokens } = row;
  return {
    ...{ id, createdAt, endedAt, model, iterations, attempts, modelTokens },
    plan: plan ?? NO_PLAN,
    state: isWhole ? state : 'failed',
    endedBy: row.ended_by === 'plateau' || row.ended_by === 'iterations' ? row.ended_by : null,
    isOwn: row.is_own === 1,
    best: bestOf(row),
    error: errorOf(row.error) ?? (isWhole ? null : errorView(damaged())),
  };
}

const errorOf = (kept: string | null): ErrorView | null => (kept === null ? null : keptError(kept, DAMAGED));

function bestOf({ best: number, ratio, low, high }: OptimiserRunRow): OptimiserRun['best'] {
  return number === null || ratio === null || low === null || high === null ? null : { number, ratio, low, high };
}

export function attemptView({
  run: _,
  ratio,
  low,
  high,
  prompt_tokens: promptTokens,
  answer_tokens: answerTokens,
  ...same
}: Omit<OptimiserAttemptRow, 'source' | 'sha256'>): OptimiserAttempt {
  const speed = ratio === null || low === null || high === null ? null : { ratio, low, high };
  return { ...same, promptTokens, answerTokens, speed };
}
