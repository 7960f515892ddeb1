import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import { Overheard } from '../../components/chain/Overheard.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import type { WalletList } from './wallet-list.ts';

/** What a wallet is for, where its files would be, and the ways to one. */
export function NoWallet({ list, onNew }: { list: WalletList; onNew: (way: 'create' | 'bring') => void }) {
  const { t } = useTranslation('wallet');
  const { confidential } = list;
  return (
    <PageBody>
      <Stack>
        {!confidential && <Overheard />}
        <EmptyState title={t('none.title')}>
          <Text size="sm" maw={600}>
            {t('none.what')}
          </Text>
          <Group gap="xs" mt={12}>
            <Button
              leftSection={<IconPlus size={15} aria-hidden />}
              disabled={!confidential}
              onClick={() => onNew('create')}
            >
              {t('none.create')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconFileImport size={15} stroke={1.6} aria-hidden />}
              disabled={!confidential}
              onClick={() => onNew('bring')}
            >
              {t('none.bring')}
            </Button>
          </Group>
        </EmptyState>
        <Box maw={640} fz={13} c="var(--q-ink-2)">
          <Trans t={t} i18nKey="none.files" values={{ folder: list.folder }} components={{ code: <code /> }} />
        </Box>
      </Stack>
    </PageBody>
  );
}
