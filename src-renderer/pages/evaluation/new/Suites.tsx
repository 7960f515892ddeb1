import { Button, Checkbox, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SuiteView } from '../../../../src-preload/contract/evaluation.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { useWords } from '../use-words.ts';
import { changeDraft, type Draft } from './draft.ts';
import { MissingFiles } from './MissingFiles.tsx';

interface SuitesProps {
  suites: readonly SuiteView[];
  draft: Draft;
  error: string | undefined;
}

/** What is asked: texts that are made here, and those out of published files. */
export function Suites({ suites, draft, error }: SuitesProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const made = suites.filter(({ isMade }) => isMade);
  const files = suites.filter(({ isMade }) => !isMade);
  const usesFiles = files.some(({ name }) => draft.suites.includes(name));
  const [isOpen, setOpen] = useState(usesFiles);
  const change = (names: string[]) => changeDraft({ suites: names });
  return (
    <>
      <Checkbox.Group aria-label={t('new.made')} value={draft.suites} onChange={change} error={error}>
        <Boxes suites={made} />
      </Checkbox.Group>
      <Text mt={20} fw={550} size="sm" component="h3">
        {t('new.files')}
      </Text>
      <Text size="sm" c="var(--q-ink-3)">
        {t('new.filesMean')}
      </Text>
      {!isOpen && (
        <Button mt={8} size="xs" variant="default" onClick={() => setOpen(true)}>
          {t('new.showFiles', { count: files.length, formatted: format.number(files.length) })}
        </Button>
      )}
      {isOpen && (
        <>
          <Switch
            mt={12}
            label={t('new.ownTexts')}
            description={t('new.ownTextsMean')}
            checked={draft.ownTexts}
            onChange={(event) => changeDraft({ ownTexts: event.currentTarget.checked })}
          />
          <Checkbox.Group aria-label={t('new.files')} value={draft.suites} onChange={change}>
            <Boxes suites={files} />
          </Checkbox.Group>
          <MissingFiles draft={draft} />
        </>
      )}
    </>
  );
}

function Boxes({ suites }: { suites: readonly SuiteView[] }) {
  const words = useWords();
  return (
    <div className={classes.suites}>
      {suites.map(({ name }) => (
        <Checkbox key={name} value={name} label={words.suite(name)} description={words.shows(name)} />
      ))}
    </div>
  );
}
