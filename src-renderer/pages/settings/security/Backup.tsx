import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconDeviceFloppy, IconRestore } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { BackUpDialog } from '../../../components/backup/BackUpDialog.tsx';
import { RestoreDialog } from '../../../components/backup/RestoreDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { onWantedAction } from '../../../state/wanted.ts';
import { FormSection } from '../fields/Fields.tsx';
import classes from '../settings.module.css';

/** When this node was backed up last, a new backup, and the way back from one. */
export function Backup() {
  const { t } = useTranslation('backup');
  const format = useFormat();
  const { data, error, refetch } = useAnswer(api.backup.state.queryOptions());
  const [making, backUp] = useDisclosure();
  const [restoring, restore] = useDisclosure();
  useEffect(() => onWantedAction('backUp', backUp.open), [backUp.open]);
  useEffect(() => onWantedAction('restore', restore.open), [restore.open]);
  return (
    <FormSection title={t('title')} help={t('help')}>
      <ErrorNote error={error} onRetry={refetch} />
      {data && (
        <div>
          {data.lastAt === null ? (
            <StateChip state="pause">{t('never')}</StateChip>
          ) : (
            <StateChip state="good" icon={IconCheck}>
              {t('last', { when: format.time(data.lastAt) })}
            </StateChip>
          )}
        </div>
      )}
      <div className={classes.buttons}>
        <Button variant="default" leftSection={<IconDeviceFloppy size={15} aria-hidden />} onClick={backUp.open}>
          {t('make')}
        </Button>
        <Button variant="default" leftSection={<IconRestore size={15} aria-hidden />} onClick={restore.open}>
          {t('restore')}
        </Button>
      </div>
      <BackUpDialog opened={making} onClose={backUp.close} />
      <RestoreDialog opened={restoring} onClose={restore.close} />
    </FormSection>
  );
}
