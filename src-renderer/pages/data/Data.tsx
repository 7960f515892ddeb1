import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../components/page/place.ts';
import { Find } from './find/Find.tsx';
import { Library } from './library/Library.tsx';
import { Overview } from './overview/Overview.tsx';
import { DataSetPlace } from './set/DataSetPlace.tsx';
import { Submissions } from './submissions/Submissions.tsx';
import { useData } from './use-data.ts';

/** Clips of videos that may be used: found, described, judged, and passed on as a data set. */
export function Data() {
  const { t } = useTranslation('data');
  const place = usePlace('data');
  const data = useData();
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {place === 'overview' && <Overview data={data} />}
      {place === 'find' && <Find />}
      {place === 'library' && <Library state={data.state} />}
      {place === 'submissions' && <Submissions />}
      {place === 'set' && <DataSetPlace />}
    </>
  );
}
