import { Button, Chip, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tokensOf } from '../../../../src-preload/contract/token-length.ts';
import classes from '../evaluation.module.css';
import { useWords } from '../use-words.ts';
import { changeDraft, LENGTHS } from './draft.ts';

interface LengthsProps {
  lengths: readonly number[];
  /** Those of them that were typed. */
  own: readonly number[];
}

/** How long the texts are to be: chosen, or typed. */
export function Lengths({ lengths, own }: LengthsProps) {
  const { t } = useTranslation('evaluation');
  const words = useWords();
  const offered = [...LENGTHS, ...own].toSorted((one, other) => one - other);
  return (
    <>
      <Chip.Group
        multiple
        value={lengths.map(String)}
        onChange={(chosen) => changeDraft({ lengths: chosen.map(Number) })}
      >
        <fieldset className={classes.chips} aria-label={t('new.lengths')}>
          {offered.map((length) => (
            <Chip key={length} value={String(length)} size="sm" radius="xl" variant="light">
              {words.length(length)}
            </Chip>
          ))}
        </fieldset>
      </Chip.Group>
      <OwnLength lengths={lengths} own={own} />
    </>
  );
}

/** One that is not offered. */
function OwnLength({ lengths, own }: LengthsProps) {
  const { t } = useTranslation('evaluation');
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const add = () => {
    const length = tokensOf(text);
    setWrong(length === undefined);
    if (length === undefined) return;
    const isOffered = [...LENGTHS, ...own].includes(length);
    changeDraft({
      lengths: [...new Set([...lengths, length])],
      ownLengths: isOffered ? [...own] : [...own, length],
    });
    setText('');
  };
  return (
    <div className={classes.add}>
      <TextInput
        w={220}
        label={t('new.ownLength')}
        placeholder="12k"
        value={text}
        error={isWrong && t('new.noLength')}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // it would begin the evaluation
          add();
        }}
      />
      <Button variant="default" disabled={text.trim() === ''} onClick={add}>
        {t('new.add')}
      </Button>
    </div>
  );
}
