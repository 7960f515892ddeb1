import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { lengthText } from '../../../../../src-preload/contract/length-text.ts';
import { type Edits, skipTo } from '../edit-list.ts';
import classes from './film.module.css';
import { chapterAt, pictureOfChapter } from './film.ts';
import { Thumbnail } from './Thumbnail.tsx';
import type { FilmView } from './use-film.ts';

interface ChaptersProps {
  film: FilmView;
  atMs: number;
  edits: Edits;
  onSeek: (ms: number) => void;
}

/** Where something else begins to be on the screen, to go there. Nothing where there is but one. */
export function Chapters({ film: { strip, chapters = [], onBroken }, atMs, edits, onSeek }: ChaptersProps) {
  const { t } = useTranslation('focus');
  if (!strip || chapters.length < 2) return null;
  const current = chapterAt(chapters, atMs);
  return (
    <ol className={classes.chapters} aria-label={t('review.chapters')}>
      {chapters.map((begin, place) => (
        <li key={begin}>
          <UnstyledButton
            className={classes.chapter}
            aria-current={place === current || undefined}
            aria-label={t('review.chapter', { number: place + 1, at: lengthText(begin) })}
            onClick={() => onSeek(begin)}
          >
            <Thumbnail strip={strip} index={pictureOfChapter(strip, begin)} edits={edits} onBroken={onBroken} />
            <span>
              {lengthText(begin)}
              {skipTo(edits, begin) !== undefined && <em>{t('review.cutChapter')}</em>}
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}
