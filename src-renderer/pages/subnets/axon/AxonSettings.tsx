import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { SettingControl } from '../../../components/setting-field/SettingControl.tsx';
import { settingValue, useSetSettings } from '../../../state/settings.ts';
import { HotkeySelect } from '../calls/HotkeySelect.tsx';
import { NoHotkey } from '../calls/NoHotkey.tsx';
import { keptHotkeys, keyOfHotkey } from '../calls/own-hotkeys.ts';

const FIELDS = ['netuid', 'port', 'externalIp', 'callers'] as const;

/** For whom the axon answers, where it listens, and whom it answers; all of it counts from its next start on. */
export function AxonSettings() {
  const { t } = useTranslation('subnets');
  return (
    <Section title={t('axon.settings')} description={t('axon.settingsHelp')}>
      <Stack maw={480}>
        <AxonHotkey />
        {FIELDS.map((name) => (
          <SettingControl
            key={name}
            path={`axon.${name}`}
            label={t(`axon.field.${name}.label`)}
            help={t(`axon.field.${name}.help`)}
          />
        ))}
      </Stack>
    </Section>
  );
}

/** The hotkey, chosen among those that are here: two settings at once. */
function AxonHotkey() {
  const { t } = useTranslation('subnets');
  const wallets = useAnswer(api.wallet.list.queryOptions());
  const settings = useAnswer(api.settings.list.queryOptions());
  const set = useSetSettings();
  if (!wallets.data) return <ErrorNote error={wallets.error} />;
  const hotkeys = keptHotkeys(wallets.data.wallets);
  if (hotkeys.length === 0) return <NoHotkey />;
  const wallet = settingValue<string>(settings.data, 'axon.wallet');
  const hotkey = settingValue<string>(settings.data, 'axon.hotkey');
  const choose = (key: string) => {
    const chosen = hotkeys.find((one) => keyOfHotkey(one) === key);
    if (chosen) set.mutate({ changes: { 'axon.wallet': chosen.wallet, 'axon.hotkey': chosen.hotkey } });
  };
  return (
    <>
      <HotkeySelect
        hotkeys={hotkeys}
        value={wallet !== undefined && hotkey !== undefined ? keyOfHotkey({ wallet, hotkey }) : undefined}
        onChange={choose}
        description={t('axon.hotkeyHelp')}
      />
      <ErrorNote error={set.error} />
    </>
  );
}
