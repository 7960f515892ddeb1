import { useTranslation } from 'react-i18next';
import type { DataSet } from '../../../../src-preload/contract/data-set.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { PageSkeleton } from '../../../components/page/PageSkeleton.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { Export } from './Export.tsx';
import { Shards } from './Shards.tsx';
import { TakeDowns } from './TakeDowns.tsx';
import { Upload } from './Upload.tsx';

/** The files that clips become, where they go, and what may be in none of them. */
export function DataSetPlace() {
  const { data: set, error, refetch } = useAnswer(api.data.dataSet.queryOptions());
  if (!set && !error) return <PageSkeleton />;
  return (
    <PageBody>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {set && (
        <>
          <Counts set={set} />
          <Export set={set} />
          <Upload set={set} />
          <Shards shards={set.shards} />
        </>
      )}
      <TakeDowns />
    </PageBody>
  );
}

function Counts({ set: { shards, waiting } }: { set: DataSet }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const rows = shards.reduce((sum, shard) => sum + shard.rows - shard.takenDown, 0);
  const bytes = shards.reduce((sum, shard) => sum + shard.bytes, 0);
  const uploaded = shards.filter(({ uploadedAt }) => uploadedAt !== null).length;
  return (
    <Figures>
      <Figure label={t('set.rowsIn')} value={format.number(rows)} note={t('set.rowsInMeans')} hero />
      <Figure
        label={t('set.files')}
        value={format.number(shards.length)}
        note={t('set.uploadedOf', { count: uploaded, formatted: format.number(uploaded) })}
      />
      <Figure label={t('find.size')} value={format.bytes(bytes)} note={t('set.onDisk')} />
      <Figure
        label={t('set.waiting')}
        value={format.number(waiting.videos + waiting.sounds)}
        note={t('set.waitingMeans', { videos: format.number(waiting.videos), sounds: format.number(waiting.sounds) })}
      />
    </Figures>
  );
}
