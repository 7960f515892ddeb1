import { Button, Group, Stack, Text } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataSet } from '../../../../src-preload/contract/data-set.ts';
import { client } from '../../../api/client.ts';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';
import { begin, useSetWork } from './set-work.ts';
import { WorkNote } from './WorkNote.tsx';

/** Writes what waits into files: as soon as there is enough for one, or all of it at once. */
export function Export({ set: { folder, waiting, least, shards } }: { set: DataSet }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const work = useSetWork('export');
  /** Whether the last one was to write all. */
  const [flush, setFlush] = useState(false);
  const start = (all: boolean) => {
    setFlush(all);
    void begin('export', (signal) => client.data.export({ flush: all }, { signal }));
  };
  const waits = waiting.videos + waiting.sounds > 0;
  const isEnough = waiting.videos >= least.videos || waiting.sounds >= least.sounds;
  const hasTakenDown = shards.some(({ takenDown }) => takenDown > 0);
  const why = isEnough ? 'enough' : hasTakenDown ? 'anew' : waits ? 'tooFew' : 'nothing';
  const disabled = work?.isRunning === true;
  return (
    <Section
      title={t('export.title')}
      description={t('export.means', { videos: format.number(least.videos), sounds: format.number(least.sounds) })}
    >
      <Stack gap="sm" align="stretch">
        <Group gap="xs">
          <Button
            leftSection={<IconFileExport size={15} stroke={1.6} aria-hidden />}
            disabled={disabled || (!isEnough && !hasTakenDown)}
            onClick={() => start(false)}
          >
            {t('export.start')}
          </Button>
          <Button variant="default" disabled={disabled || !waits} onClick={() => start(true)}>
            {t('export.flush')}
          </Button>
        </Group>
        <Text size="sm" c="var(--q-ink-2)">
          {t(`export.${why}`)}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" ff="monospace" className={classes.whole} style={{ flex: '0 1 auto' }}>
            {folder}
          </Text>
          <CopyIcon text={folder} label={t('export.copy')} />
        </Group>
        {work && <WorkNote kind="export" work={work} onRetry={() => start(flush)} />}
      </Stack>
    </Section>
  );
}
