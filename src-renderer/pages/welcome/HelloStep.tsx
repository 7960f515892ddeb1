import {
  Button,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MAX_NODE_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { LANGUAGES } from '../../i18n/i18n.ts';
import { useSetSettings, useSetting } from '../../state/settings.ts';
import { StepFrame } from './StepFrame.tsx';
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

function NameField({ name, onEnter }: { name: ReturnType<typeof useNodeName>; onEnter: () => void }) {
  const { t } = useTranslation('welcome');
  return (
    <TextInput
      label={t('hello.name')}
      description={t(name.held ? 'hello.nameHeld' : 'hello.nameHelp')}
      value={name.value}
      onChange={(event) => name.change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onEnter()}
      maxLength={MAX_NODE_NAME_CHARS}
      readOnly={name.held}
      size="md"
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function LanguageChoice() {
  const { t } = useTranslation('welcome');
  const language = useSetting<string>('language') ?? 'system';
  const set = useSetSettings();
  const named = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
  return (
    <Stack gap="sm">
      <Select
        label={t('hello.language')}
        data={[{ value: 'system', label: t('hello.systemLanguage') }, ...named]}
        value={language}
        onChange={(chosen) => chosen && set.mutate({ changes: { language: chosen } })}
        allowDeselect={false}
        size="md"
      />
      <ErrorNote error={set.error} />
    </Stack>
  );
}

const SCHEMES = ['light', 'dark', 'auto'] as const;

function ThemeChoice() {
  const { t } = useTranslation('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Input.Wrapper label={t('theme.label')} labelElement="div" size="md">
      <SegmentedControl
        aria-label={t('theme.label')}
        data={SCHEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
        value={colorScheme}
        onChange={setColorScheme}
        fullWidth
        size="md"
      />
    </Input.Wrapper>
  );
}
