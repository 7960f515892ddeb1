import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../components/page/place.ts';
import { Compare } from './compare/Compare.tsx';
import { Files } from './files/Files.tsx';
import { History } from './history/History.tsx';
import { NewEvaluation } from './new/NewEvaluation.tsx';
import { Result } from './result/Result.tsx';

/** How much of a long text a model uses. */
export function Evaluation() {
  const { t } = useTranslation('evaluation');
  const place = usePlace('evaluation');
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {place === 'result' && <Result />}
      {place === 'new' && <NewEvaluation />}
      {place === 'compare' && <Compare />}
      {place === 'history' && <History />}
      {place === 'files' && <Files />}
    </>
  );
}
