import { Box, Button, Text } from '@mantine/core';
import { IconCheck, IconDownload, IconMessageCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useFormat } from '../../../i18n/format.ts';
import { DownloadStanding } from '../downloads/DownloadStanding.tsx';
import type { ModelRow } from '../model/model-rows.ts';
import { useChoose, usePull } from '../model/use-actions.ts';

interface ModelPrimaryProps {
  row: Pick<ModelRow, 'name' | 'title' | 'bytes' | 'fit' | 'local' | 'download'>;
  /** What to ask for to get it. Default: its name. */
  wanted?: Parameters<ReturnType<typeof usePull>['mutate']>[0];
}

/** The one button of the inspector: get the model, use it, or try the one in use. */
export function ModelPrimary({ row, wanted = { name: row.name } }: ModelPrimaryProps) {
  return (
    <Box mt={18}>
      {row.local ? (
        <Use row={row} />
      ) : row.download ? (
        <DownloadStanding download={row.download} title={row.title} />
      ) : (
        <Get row={row} wanted={wanted} />
      )}
    </Box>
  );
}

function Use({ row: { name, local } }: Pick<ModelPrimaryProps, 'row'>) {
  const { t } = useTranslation('models');
  const choose = useChoose();
  if (!local?.selected) {
    return (
      <Button
        fullWidth
        leftSection={<IconCheck size={15} aria-hidden />}
        loading={choose.isPending}
        onClick={() => choose.mutate({ name })}
      >
        {t('local.useThis')}
      </Button>
    );
  }
  return (
    <>
      <Button
        fullWidth
        variant="default"
        component="a"
        href="#/playground"
        leftSection={<IconMessageCircle size={15} aria-hidden />}
      >
        {t('local.try')}
      </Button>
      <Hint>{t('local.chosenHelp')}</Hint>
    </>
  );
}

function Get({ row: { bytes, fit }, wanted }: Required<ModelPrimaryProps>) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const pull = usePull();
  const { data: disk } = useAnswer(api.models.diskUse.queryOptions());
  const missing = disk && bytes !== null ? bytes - disk.free : 0;
  return (
    <>
      <Button
        fullWidth
        variant={fit?.runs === 'no' ? 'default' : 'filled'}
        leftSection={<IconDownload size={15} aria-hidden />}
        loading={pull.isPending}
        onClick={() => pull.mutate(wanted)}
      >
        {bytes === null ? t('card.download') : t('card.downloadSize', { size: format.bytes(bytes) })}
      </Button>
      {disk && missing <= 0 && <Hint>{t('disk.isFree', { free: format.bytes(disk.free) })}</Hint>}
      {disk && missing > 0 && <Hint warns>{t('disk.missing', { missing: format.bytes(missing) })}</Hint>}
    </>
  );
}

function Hint({ children, warns = false }: { children: string; warns?: boolean }) {
  return (
    <Text size="xs" c={warns ? 'var(--q-pause)' : 'dimmed'} ta="center" mt={8}>
      {children}
    </Text>
  );
}
