import { CloseButton } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../playground.module.css';
import { tokensIn } from './attach.ts';

interface AttachedFilesProps {
  files: NonNullable<Turn['files']>;
  /** Takes one away, by its place; absent for those that went. */
  onRemove?: (place: number) => void;
}

/** Files that go with a question, and how much of a model's memory each takes. */
export function AttachedFiles({ files, onRemove }: AttachedFilesProps) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={t('file.list')}>
      {files.map(({ name, chars, long }, place) => {
        const count = tokensIn(chars);
        return (
          <li key={place}>
            <IconFileText size={15} stroke={1.6} aria-hidden />
            <b title={name}>{name}</b>
            <span>{long ? t('file.searched') : t('file.tokens', { count, formatted: format.number(count) })}</span>
            {onRemove && (
              <CloseButton size="sm" onClick={() => onRemove(place)} aria-label={t('file.remove', { name })} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
