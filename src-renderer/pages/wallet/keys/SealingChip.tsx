import { Group } from '@mantine/core';
import { IconEye, IconFileOff, IconLock, IconLockOpen, IconShieldExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { KeySealing } from '../../../../src-preload/contract/wallet.ts';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';

const LOOKS: Record<KeySealing | 'none', { state: State; icon: typeof IconLock; word: string }> = {
  nacl: { state: 'good', icon: IconLock, word: 'encrypted' },
  fernet: { state: 'pause', icon: IconShieldExclamation, word: 'old' },
  ansible: { state: 'pause', icon: IconShieldExclamation, word: 'old' },
  plain: { state: 'idle', icon: IconLockOpen, word: 'plain' },
  unknown: { state: 'pause', icon: IconShieldExclamation, word: 'unknown' },
  none: { state: 'idle', icon: IconEye, word: 'watchOnly' },
};

interface SealingChipProps {
  sealing: KeySealing | null;
  lacksPublic?: boolean | undefined;
}

/** How a key's file is kept from whoever reads the disk, and whether its public file is missing. */
export function SealingChip({ sealing, lacksPublic = false }: SealingChipProps) {
  const { t } = useTranslation('wallet');
  const { state, icon, word } = LOOKS[sealing ?? 'none'];
  return (
    <Group gap={6} wrap="nowrap">
      <StateChip state={state} icon={icon}>
        {t(`keys.sealing.${word}`)}
      </StateChip>
      {lacksPublic && (
        <StateChip state="pause" icon={IconFileOff}>
          {t('keys.lacksPublic')}
        </StateChip>
      )}
    </Group>
  );
}
