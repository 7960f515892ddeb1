import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MAX_ENQUEUED } from '../../../../src-preload/contract/data-limits.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';
import { useFindView } from './find-view.ts';
import { useEnqueue } from './use-find.ts';

/** What becomes of the videos that are chosen, and what became of those before. */
export function ChosenBar() {
  const { t } = useTranslation('data');
  const format = useFormat();
  const { chosen, asked } = useFindView();
  const enqueue = useEnqueue();
  const videos = Object.values(chosen);
  const count = videos.length;
  if (count === 0 && !enqueue.data && !enqueue.error) return null;
  return (
    <div className={classes.chosen}>
      <span role="status">
        {count > 0
          ? t('find.chosen', { count, formatted: format.number(count) })
          : enqueue.data && <Added {...enqueue.data} />}
      </span>
      {count > 0 && asked && (
        <>
          <Button
            size="xs"
            disabled={count > MAX_ENQUEUED}
            loading={enqueue.isPending}
            onClick={() => enqueue.mutate({ videos, topic: asked.topic })}
          >
            {t('find.enqueue', { count, formatted: format.number(count) })}
          </Button>
          <Button size="xs" variant="default" onClick={() => useFindView.setState({ chosen: {} })}>
            {t('find.chooseNone')}
          </Button>
        </>
      )}
      {count > MAX_ENQUEUED && t('find.tooMany', { formatted: format.number(MAX_ENQUEUED) })}
      {count === 0 && enqueue.data && (
        <Button size="xs" variant="default" component="a" href="#/data">
          {t('find.toQueue')}
        </Button>
      )}
      <ErrorNote error={enqueue.error} />
    </div>
  );
}

function Added({ added, known, unusable }: { added: number; known: number; unusable: number }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  return [
    t('find.added', { count: added, formatted: format.number(added) }),
    known > 0 && t('find.known', { count: known, formatted: format.number(known) }),
    unusable > 0 && t('find.unusable', { count: unusable, formatted: format.number(unusable) }),
  ]
    .filter(Boolean)
    .join(' ');
}
