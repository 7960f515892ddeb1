import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../../components/Note.tsx';
import { useFormat } from '../../../../i18n/format.ts';
import type { FilmView } from './use-film.ts';

/** How far the small pictures are, and why there are none. A video can be looked through without them. */
export function FilmTrouble({ film }: { film: FilmView }) {
  const { t } = useTranslation('focus');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { strip, chapters, done, error, isBroken, retry } = film;
  if (error) return <ErrorNote error={error} onRetry={retry} />;
  if (isBroken) {
    const again = (
      <Button size="xs" variant="default" onClick={retry}>
        {common('error.retry')}
      </Button>
    );
    return <Note state="error" role="alert" title={t('review.broken')} actions={again} />;
  }
  if (chapters && chapters.length > 1) return null;
  return (
    <Text size="sm" c="var(--q-ink-2)" role="status">
      {!strip && t('review.pictures', { share: format.percent(done) })}
      {chapters && t('review.oneChapter')}
    </Text>
  );
}
