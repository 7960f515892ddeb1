import { Box, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { Meter } from '../../../components/Meter.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { DownloadActions } from './DownloadActions.tsx';
import { DownloadProblem } from './DownloadProblem.tsx';
import { DOWNLOAD_COLOURS, useDownloadFacts } from './download-facts.ts';

/** In the inspector: how far a download is, and what can be done with it. */
export function DownloadStanding({ download, title }: { download: Download; title: string }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const facts = useDownloadFacts(download);
  const { state, bytes, received, problem } = download;
  const share = bytes ? received / bytes : 0;
  return (
    <>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {t(`state.${state}`)}
        </Text>
        {bytes !== null && (
          <Text size="sm" className="num">
            {format.percent(share)}
          </Text>
        )}
      </Group>
      <Meter
        height={6}
        label={t('downloads.progress', { name: title })}
        parts={[{ share, colour: DOWNLOAD_COLOURS[state] }]}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {facts.join(' · ')}
      </Text>
      {problem && (
        <Box mt={12}>
          <DownloadProblem download={download} problem={problem} />
        </Box>
      )}
      <Box mt={12}>
        <DownloadActions download={download} title={title} />
      </Box>
    </>
  );
}
