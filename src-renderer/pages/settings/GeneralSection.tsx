import { Button, Input, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { useSetSettings } from '../../state/settings.ts';
import { Fields, FormSection } from './fields/Fields.tsx';
import classes from './settings.module.css';

export function GeneralSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <FormSection title={t('general.computer')}>
        <Fields of="computer" />
      </FormSection>
      <FormSection title={t('general.energy')} help={t('general.energyHelp')}>
        <Fields of="energy" />
      </FormSection>
      <FormSection title={t('general.screens')}>
        <Fields of="screens" />
        <ColourScheme />
        <WelcomeAgain />
      </FormSection>
    </>
  );
}

/** Light, dark, or as the system. Kept in this browser: another one may look different. */
function ColourScheme() {
  const { t } = useTranslation(['settings', 'common']);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Input.Wrapper label={t('appearance.title')} description={t('appearance.help')} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={t('appearance.title')}
          data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`common:theme.${value}`) }))}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </div>
    </Input.Wrapper>
  );
}

function WelcomeAgain() {
  const { t } = useTranslation('settings');
  const welcome = useSetSettings();
  return (
    <div>
      <Button
        variant="default"
        loading={welcome.isPending}
        onClick={() => welcome.mutate({ changes: { showWelcome: true } }, { onSuccess: showDashboardAfterwards })}
      >
        {t('general.welcome')}
      </Button>
      <p className={classes.hint}>{t('general.welcomeHelp')}</p>
      <ErrorNote error={welcome.error} />
    </div>
  );
}

/** The welcome leaves the address as it is, for links that come while it shows; this one was only where it was asked for. */
function showDashboardAfterwards(): void {
  location.hash = '#/';
}
