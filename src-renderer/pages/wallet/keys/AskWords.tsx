import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyDraft } from '../../../../src-preload/contract/wallet.ts';

const MOST_WORD_CHARS = 64;

interface AskWordsProps {
  draft: KeyDraft;
  onBack: () => void;
  /** Told the words that were asked for, in their order. */
  onTold: (words: string[]) => void;
}

/** Three of the words again: who knows them has written them down. */
export function AskWords({ draft: { phrase = '', ask }, onBack, onTold }: AskWordsProps) {
  const { t } = useTranslation('wallet');
  const [told, setTold] = useState(() => ask.map(() => ''));
  const [looked, setLooked] = useState(false);
  const words = phrase.split(' ');
  const isRight = (place: number) => told[place]?.trim().toLowerCase() === words[(ask[place] ?? 0) - 1];
  const next = () => {
    setLooked(true);
    if (ask.every((_, place) => isRight(place))) onTold(told.map((word) => word.trim().toLowerCase()));
  };
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <Stack>
        <Text size="sm">{t('words.again')}</Text>
        {ask.map((position, place) => (
          <TextInput
            key={position}
            label={t('words.word', { position })}
            value={told[place] ?? ''}
            onChange={(event) => {
              setTold(told.with(place, event.currentTarget.value));
              setLooked(false);
            }}
            error={looked && !isRight(place) && t('words.wrong', { position })}
            maxLength={MOST_WORD_CHARS}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            data-autofocus={place === 0 || undefined}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            {t('words.back')}
          </Button>
          <Button type="submit" disabled={told.some((word) => word.trim() === '')}>
            {t('new.next')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
