import { useTranslation } from 'react-i18next';
import type { DataState } from '../../../../src-preload/contract/data.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { PageSkeleton } from '../../../components/page/PageSkeleton.tsx';
import { useFormat } from '../../../i18n/format.ts';
import type { LiveData } from '../use-data.ts';
import { Abilities } from './Abilities.tsx';
import { ClipModels } from './ClipModels.tsx';
import { DataFields } from './DataFields.tsx';
import { DoneNow } from './DoneNow.tsx';
import { Jobs } from './Jobs.tsx';
import { NowBar } from './NowBar.tsx';
import { OrderForm } from './OrderForm.tsx';
import { Thresholds } from './Thresholds.tsx';

/** From so full on, the reader is told. */
const NEARLY_FULL = 0.9;

/** What is looked for, how it goes, and what it can be done with here. */
export function Overview({ data: { state, error, again } }: { data: LiveData }) {
  const problem = <ErrorNote error={error} onRetry={again} />;
  if (!state) return error ? <PageBody>{problem}</PageBody> : <PageSkeleton />;
  return (
    <>
      <NowBar state={state} />
      <PageBody>
        {problem}
        <Counts state={state} />
        {(state.now.length > 0 || state.reckoning !== null) && <DoneNow jobs={state.now} reckoning={state.reckoning} />}
        {state.mining === 'off' && <OrderForm order={state.order} />}
        <Jobs counts={state.jobs} />
        {state.abilities.length > 0 && <Abilities abilities={state.abilities} />}
        <ClipModels />
        <Thresholds space={state.space} />
        <DataFields />
      </PageBody>
    </>
  );
}

function Counts({ state: { clips, bytes, diskBudget, jobs, order } }: { state: DataState }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const share = diskBudget > 0 ? bytes / diskBudget : 0;
  const budget = format.bytes(diskBudget);
  return (
    <Figures>
      <Figure
        label={t('figure.clips')}
        value={format.number(clips)}
        note={
          order
            ? t('figure.of', { made: format.number(order.made), most: format.number(order.most), topic: order.topic })
            : undefined
        }
        hero
      />
      <Figure label={t('figure.waiting')} value={format.number(jobs.waiting)} note={t('figure.waitingMeans')} />
      <Figure
        label={t('figure.failed')}
        value={format.number(jobs.failed)}
        note={t(jobs.failed > 0 ? 'figure.failedMeans' : 'figure.noneFailed')}
      />
      <Figure
        label={t('figure.disk')}
        value={format.bytes(bytes)}
        note={
          <>
            <Meter parts={[{ share, ...(share >= NEARLY_FULL && { colour: 'var(--q-pause)' }) }]} />
            {t(share >= 1 ? 'figure.diskFull' : 'figure.diskMeans', { budget })}
          </>
        }
      />
    </Figures>
  );
}
