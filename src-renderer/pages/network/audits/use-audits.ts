import type { AuditCalibrationView, AuditsNow, WorkerAuditView } from '../../../../src-preload/contract/audits.ts';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { api, client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Workers and files that are asked for. */
export const MOST_AUDITS = 500;
const LOOK_AGAIN_MS = 5_000;

/** A worker with a file, and what is to be said of it. */
export interface JudgedAudit {
  key: string;
  audit: WorkerAuditView;
  verdict: Verdict;
}

export interface AuditsView {
  judged: JudgedAudit[];
  /** Those that count now. */
  calibrations: readonly AuditCalibrationView[];
  /** Of models that run on another device now: nobody is judged by them. */
  outdated: readonly AuditCalibrationView[];
  now: AuditsNow;
}

/** Everything about audits, as it is now. @returns `view` undefined while it is on its way */
export function useAudits(): { view: AuditsView | undefined; error: unknown; retry: () => void } {
  const list = useAnswer(
    api.audits.list.queryOptions({ input: { limit: MOST_AUDITS }, refetchInterval: LOOK_AGAIN_MS }),
  );
  const calibrations = useAnswer(api.audits.calibrations.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  const { value: now, error } = useLiveValue((signal) => client.audits.watch(undefined, { signal }));
  const known = calibrations.data?.filter(({ otherDevice }) => otherDevice === null);
  const view = list.data &&
    known &&
    now && {
      judged: list.data.map((audit) => ({
        key: `${audit.worker}/${audit.model}`,
        audit,
        verdict: verdictOf(
          audit,
          known.find(({ model }) => model === audit.model),
        ),
      })),
      calibrations: known,
      outdated: calibrations.data?.filter(({ otherDevice }) => otherDevice !== null) ?? [],
      now,
    };
  return {
    view,
    error: list.error ?? calibrations.error ?? error,
    retry: () => {
      void list.refetch();
      void calibrations.refetch();
    },
  };
}

export const refreshCalibrations = () => queryClient.invalidateQueries({ queryKey: api.audits.calibrations.key() });

/** What a file is called, by its SHA-256: as it is here, or by its first digits. */
export function useFileNames({
  calibrations,
  now,
}: Pick<AuditsView, 'calibrations' | 'now'>): (model: string) => string {
  const { data: local = [] } = useAnswer(api.models.list.queryOptions());
  return (model) => {
    const own = now.own.state === 'ready' && now.own.model === model ? now.own : undefined;
    const known =
      own ?? calibrations.find((one) => one.model === model) ?? local.find(({ sha256 }) => sha256 === model);
    return known ? fileTitle(known.name) : shortId(model);
  };
}

/** «Qwen2.5 7B Q4_K_M»: here the quantisation is half of what matters. */
export function fileTitle(name: string): string {
  const { title, quantisation } = modelTitle(name);
  return quantisation ? `${title} ${quantisation}` : title;
}
