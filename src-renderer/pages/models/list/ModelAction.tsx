import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { Meter } from '../../../components/Meter.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { DownloadButton } from '../downloads/DownloadButton.tsx';
import type { ModelRow } from '../model/model-rows.ts';
import { useChoose, usePull } from '../model/use-actions.ts';

/** The one thing to do with a model, or how it stands: download, its progress, use, in use. */
export function ModelAction({ row: { name, title, local, download } }: { row: ModelRow }) {
  const { t } = useTranslation('models');
  const pull = usePull();
  const choose = useChoose();
  if (local?.selected) {
    return (
      <StateChip state="good" icon={IconCheck}>
        {t('local.chosen')}
      </StateChip>
    );
  }
  if (local) {
    return (
      <Button
        size="xs"
        variant="default"
        loading={choose.isPending}
        aria-label={t('local.useOf', { name: title })}
        onClick={(event) => {
          event.stopPropagation();
          choose.mutate({ name });
        }}
      >
        {t('local.use')}
      </Button>
    );
  }
  if (download) return <Progress download={download} />;
  return <DownloadButton title={title} loading={pull.isPending} onClick={() => pull.mutate({ name })} />;
}

function Progress({ download: { state, received, bytes } }: { download: Download }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const share = bytes ? received / bytes : 0;
  const moves = state === 'downloading';
  return (
    <span className={classes.progress}>
      <span className={`num ${classes.sub}`}>{moves && bytes ? format.percent(share) : t(`state.brief.${state}`)}</span>
      <Meter height={4} parts={[{ share, colour: moves ? 'var(--q-mining)' : 'var(--q-c6)' }]} />
    </span>
  );
}
