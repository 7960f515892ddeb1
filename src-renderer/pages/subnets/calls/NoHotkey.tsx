import { Anchor } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import { Note } from '../../../components/Note.tsx';

/** There is nothing yet that could take a place or answer: where to make it. @param onLeave called when the way there is taken */
export function NoHotkey({ onLeave }: { onLeave?: () => void }) {
  const { t } = useTranslation('subnets');
  return (
    <Note icon={IconKey} title={t('calls.noHotkey')}>
      <Trans
        t={t}
        i18nKey="calls.makeOne"
        components={{ keys: <Anchor href="#/wallet/keys" size="sm" underline="always" onClick={onLeave} /> }}
      />
    </Note>
  );
}
