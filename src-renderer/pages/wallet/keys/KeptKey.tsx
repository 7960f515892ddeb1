import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Address } from '../../../components/chain/Address.tsx';
import { Note } from '../../../components/Note.tsx';
import type { Kept } from './NewKey.tsx';

/** A key that was written: its address, where its file is, and what it is good for now. */
export function KeptKey({ kept, folder, onClose }: { kept: Kept; folder: string; onClose: () => void }) {
  const { t } = useTranslation(['wallet', 'common']);
  const { wallet, hotkey, address } = kept;
  return (
    <Stack>
      <Note state="good" icon={IconCheck} role="status" title={t('wallet:keep.done', { key: hotkey ?? wallet })}>
        {t(hotkey === undefined ? 'wallet:keep.nowColdkey' : 'wallet:keep.nowHotkey')}
      </Note>
      {address !== null && <Address address={address} whole />}
      <Text size="sm" c="var(--q-ink-2)" style={{ overflowWrap: 'anywhere' }}>
        {t('wallet:keep.where')}{' '}
        <code>{[folder, wallet, ...(hotkey === undefined ? ['coldkey'] : ['hotkeys', hotkey])].join('/')}</code>
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t('common:action.close')}
        </Button>
      </Group>
    </Stack>
  );
}
