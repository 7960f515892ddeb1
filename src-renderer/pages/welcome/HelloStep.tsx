import { Button, Input, NativeSelect, SegmentedControl, TextInput, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { MAX_NODE_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import { RestoreDialog } from '../../components/backup/RestoreDialog.tsx';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { LANGUAGES } from '../../i18n/i18n.ts';
import { useSetSettings, useSetting } from '../../state/settings.ts';
import { Promises } from './Promises.tsx';
import { StepFrame } from './StepFrame.tsx';
import { useNodeName } from './use-node-name.ts';
import type { StepProps } from './Welcome.tsx';
import classes from './welcome.module.css';

/** Says what Quarry is and what it promises, and asks what this computer is to be called. */
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
          <HaveBackup />
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
      <Promises />
      <div className={`${classes.columns} ${classes.ruled}`}>
        <NameField name={name} onEnter={() => name.save(onNext)} />
        <div className={classes.columns} style={{ gap: 16 }}>
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </div>
      <ErrorNote error={name.error} />
    </StepFrame>
  );
}

/** For who comes from another computer: this one becomes that node. */
function HaveBackup() {
  const { t } = useTranslation('backup');
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant="subtle" onClick={dialog.open}>
        {t('have')}
      </Button>
      <RestoreDialog opened={opened} onClose={dialog.close} />
    </>
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
    <div>
      <NativeSelect
        label={t('hello.language')}
        data={[{ value: 'system', label: t('hello.systemLanguage') }, ...named]}
        value={language}
        onChange={(event) => set.mutate({ changes: { language: event.currentTarget.value } })}
      />
      <ErrorNote error={set.error} />
    </div>
  );
}

const SCHEMES = ['auto', 'light', 'dark'] as const;

function ThemeChoice() {
  const { t } = useTranslation('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Input.Wrapper label={t('theme.label')} labelElement="div">
      <SegmentedControl
        aria-label={t('theme.label')}
        data={SCHEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
        value={colorScheme}
        onChange={setColorScheme}
        fullWidth
      />
    </Input.Wrapper>
  );
}
