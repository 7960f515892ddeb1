import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import { NameField } from './NameField.tsx';
import { StepFrame } from './StepFrame.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import { useNodeName } from './use-node-name.ts';
import type { StepProps } from './Welcome.tsx';

/** Says what Quarry is, and asks what this computer is to be called. */
export function HelloStep({ onNext, onBack }: StepProps) {
  const { t } = useTranslation('welcome');
  const name = useNodeName();
  return (
    <StepFrame
      title={t('hello.title')}
      intro={t('hello.intro')}
      onBack={onBack}
      actions={
        <>
          {name.error && (
            <Button variant="default" onClick={onNext}>
              {t('hello.anyway')}
            </Button>
          )}
          <Button loading={name.isSaving} onClick={() => name.save(onNext)}>
            {t('next')}
          </Button>
        </>
      }
    >
      <Stack gap="lg">
        <NameField name={name} onEnter={() => name.save(onNext)} />
        <ErrorNote error={name.error} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <LanguageChoice />
          <ThemeChoice />
        </SimpleGrid>
      </Stack>
    </StepFrame>
  );
}
