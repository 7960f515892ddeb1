import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Note } from '../../../components/Note.tsx';
import classes from '../wallet.module.css';

interface ShowWordsProps {
  phrase: string;
  onNext: () => void;
  onClose: () => void;
}

/** The words of a new key, once. They cannot be selected: what is copied lies about in clipboards. */
export function ShowWords({ phrase, onNext, onClose }: ShowWordsProps) {
  const { t } = useTranslation(['wallet', 'common']);
  return (
    <Stack>
      <Text size="sm">{t('wallet:words.what')}</Text>
      <ol className={classes.words} aria-label={t('wallet:words.list')} translate="no">
        {phrase.split(' ').map((word, place) => (
          <li key={place}>
            <span aria-hidden>{place + 1}</span>
            {word}
          </li>
        ))}
      </ol>
      <Note state="pause" icon={IconPencil}>
        {t('wallet:words.paper')}
      </Note>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:action.cancel')}
        </Button>
        <Button onClick={onNext} data-autofocus>
          {t('wallet:words.next')}
        </Button>
      </Group>
    </Stack>
  );
}
