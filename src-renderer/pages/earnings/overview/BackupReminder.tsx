import { Button } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { isWorthBackup } from '../../../../src-preload/contract/limits.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Note } from '../../../components/Note.tsx';
import { useNode } from '../../../state/node.ts';

const REMIND_AGAIN_MS = 30 * 86_400_000;

/** When a person put the reminder off, in this browser; Unix milliseconds. */
const usePutOff = create<{ at: number }>()(persist(() => ({ at: 0 }), { name: 'quarry-backup-reminder' }));

/** From Silver on: that this node was never backed up, until it is, or for a month where it is put off. */
export function BackupReminder() {
  const { t } = useTranslation('backup');
  const tier = useNode(({ status }) => status?.credits.tier);
  const { at } = usePutOff();
  const isDue = tier !== undefined && isWorthBackup(tier) && Date.now() - at > REMIND_AGAIN_MS;
  const { data } = useAnswer(api.backup.state.queryOptions({ enabled: isDue }));
  if (!isDue || data?.lastAt !== null) return null;
  return (
    <Note
      icon={IconDeviceFloppy}
      title={t('never')}
      spaced
      actions={
        <>
          <Button component="a" href="#/settings/security" size="xs" variant="default">
            {t('make')}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={() => usePutOff.setState({ at: Date.now() })}>
            {t('later')}
          </Button>
        </>
      }
    >
      {t('remind')}
    </Note>
  );
}
