import { Button, Stack, Text } from '@mantine/core';
import { IconDownload, IconFilePlus, IconKey, IconSignature } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Inspector } from '../../../components/page/Inspector.tsx';
import { saveFile } from '../../../components/saving/save-file.ts';
import type { NamedKey } from '../wallet-list.ts';
import { SealingChip } from './SealingChip.tsx';

interface KeyInspectorProps {
  of: NamedKey;
  /** Whether passwords may be asked for here. */
  confidential: boolean;
  onSign: () => void;
  onChangePassword: () => void;
  onWritePublic: () => void;
}

/** One key: its address, how its file is kept, and what is done with it. */
export function KeyInspector({ of: key, confidential, onSign, onChangePassword, onWritePublic }: KeyInspectorProps) {
  const { t } = useTranslation('wallet');
  const { wallet, hotkey, address, sealing } = key;
  const title = hotkey ?? t('keys.coldkey');
  const save = useMutation({
    mutationFn: () => client.wallet.publicPart({ wallet, hotkey }),
    onSuccess: (part) =>
      saveFile(new Blob([JSON.stringify(part)], { type: 'application/json' }), `${hotkey ?? 'coldkey'}pub.txt`),
  });
  const unread = sealing === 'unknown';
  const maySign = sealing !== null && !unread && confidential;
  return (
    <Inspector title={title} description={hotkey ? t('keys.hotkeyOf', { wallet }) : t('keys.coldkeyOf', { wallet })}>
      <Block title={t('addresses.address')}>
        {address === null ? (
          <Text size="sm">{t(unread ? 'addresses.unread' : 'addresses.unknownHint')}</Text>
        ) : (
          <Address address={address} whole />
        )}
      </Block>
      <Block title={t('keys.file')}>
        <SealingChip sealing={sealing} lacksPublic={key.lacksPublic} />
        <Text size="sm" c="var(--q-ink-2)" mt={8}>
          {t(`keys.means.${sealing ?? 'none'}.${hotkey ? 'hotkey' : 'coldkey'}`)}
        </Text>
      </Block>
      <Block>
        <Stack gap="xs" align="stretch">
          {key.lacksPublic && (
            <Button
              leftSection={<IconFilePlus size={15} stroke={1.6} aria-hidden />}
              disabled={!maySign}
              onClick={onWritePublic}
            >
              {t('public.do')}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconSignature size={15} stroke={1.6} aria-hidden />}
            disabled={!maySign}
            onClick={onSign}
          >
            {t('sign.do')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconKey size={15} stroke={1.6} aria-hidden />}
            disabled={!maySign}
            onClick={onChangePassword}
          >
            {t(sealing === 'plain' ? 'password.set' : 'password.change')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
            disabled={address === null}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {t('keys.savePublic')}
          </Button>
          <ErrorNote error={save.error} />
        </Stack>
      </Block>
    </Inspector>
  );
}
