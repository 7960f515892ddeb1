import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { keyOfHotkey, type OwnHotkey } from './own-hotkeys.ts';

interface HotkeySelectProps {
  hotkeys: readonly OwnHotkey[];
  value: string | undefined;
  onChange: (key: string) => void;
  description: string;
}

/** One of one's own hotkeys, by its wallet and its name. */
export function HotkeySelect({ hotkeys, value, onChange, description }: HotkeySelectProps) {
  const { t } = useTranslation('subnets');
  return (
    <Select
      label={t('calls.hotkey')}
      description={description}
      data={hotkeys.map((one) => ({
        value: keyOfHotkey(one),
        label: `${one.wallet} · ${one.hotkey} (${shortAddress(one.address)})`,
      }))}
      value={value ?? null}
      onChange={(key) => key !== null && onChange(key)}
      allowDeselect={false}
    />
  );
}
