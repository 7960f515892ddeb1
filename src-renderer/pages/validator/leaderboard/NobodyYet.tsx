import { Box, Button, Group, Text } from '@mantine/core';
import { IconHourglass, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useSetSettings } from '../../../state/settings.ts';
import type { Weighing } from '../use-weights.ts';

/** The board before the first result: what will be here, and the two ways to begin. */
export function NobodyYet() {
  const { t } = useTranslation('validator');
  return (
    <Box className={tableClasses.pad} pt={20}>
      <EmptyState title={t('empty.title')}>
        <Text size="sm" maw={560}>
          {t('empty.what')}
        </Text>
        <Group gap="xs" mt={12}>
          <Button
            component="a"
            href="#/validator/try"
            leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
          >
            {t('empty.try')}
          </Button>
          <Button
            component="a"
            href="#/validator/miners"
            variant="default"
            leftSection={<IconPlus size={15} stroke={1.6} aria-hidden />}
          >
            {t('miners.add')}
          </Button>
        </Group>
      </EmptyState>
    </Box>
  );
}

/** Nobody has enough results: what the board is worth until then, and rules that want fewer. */
export function Provisional({ rules }: { rules: Weighing | undefined }) {
  const { t } = useTranslation('validator');
  const set = useSetSettings();
  const mayBeHome = rules !== undefined && rules.preset !== 'home';
  return (
    <Box className={tableClasses.pad} pt={8} pb={4}>
      <Note
        icon={IconHourglass}
        title={t('provisional.title')}
        role="status"
        actions={
          mayBeHome && (
            <Button
              size="xs"
              variant="default"
              loading={set.isPending}
              onClick={() => set.mutate({ changes: { 'validator.preset': 'home' } })}
            >
              {t('provisional.home')}
            </Button>
          )
        }
      >
        {t(mayBeHome ? 'provisional.what' : 'provisional.whatHome')}
      </Note>
      <ErrorNote error={set.error} />
    </Box>
  );
}
