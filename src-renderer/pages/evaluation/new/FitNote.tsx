import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useWords } from '../use-words.ts';
import type { Draft } from './draft.ts';
import { useOwnModel } from './use-own-model.ts';

/** Which of the lengths this computer's model has no room for, before anything is asked. */
export function FitNote({ draft: { target, lengths } }: { draft: Draft }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const { contextSize } = useOwnModel();
  if (target.kind !== 'local' || contextSize === undefined) return null;
  const tooLong = lengths.filter((length) => length > contextSize).toSorted((one, other) => one - other);
  if (tooLong.length === 0) return null;
  const formatted = format.list(tooLong.map(words.length));
  return (
    <Note
      spaced
      state="pause"
      icon={IconAlertTriangle}
      title={t('new.tooLong', { lengths: formatted, room: format.number(contextSize) })}
      actions={
        <Button component="a" href="#/settings/engine" size="xs" variant="default">
          {t('new.toEngine')}
        </Button>
      }
    >
      {t('new.tooLongMeans')}
    </Note>
  );
}
