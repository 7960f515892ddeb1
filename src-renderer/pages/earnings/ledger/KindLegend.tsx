import { ActionIcon, Popover, Stack, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { KNOWN_KINDS } from './kinds.ts';

/** Explains every kind of entry to those who ask. */
export function KindLegend({ kinds }: { kinds: string[] }) {
  const { t } = useTranslation('earnings');
  return (
    <Popover width={340} position="bottom-end" withArrow shadow="md" trapFocus middlewares={{ size: true }}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={34} aria-label={t('ledger.legend')} title={t('ledger.legend')}>
          <IconHelpCircle size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('ledger.legend')} tabIndex={-1} style={{ overflowY: 'auto' }}>
        <Stack component="dl" gap="xs" m={0}>
          {KNOWN_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => (
            <div key={kind}>
              <Text component="dt" size="sm" fw={550}>
                {t(`kind.${kind}.name`)}
              </Text>
              <Text component="dd" size="sm" c="dimmed" m={0}>
                {t(`kind.${kind}.meaning`)}
              </Text>
            </div>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
