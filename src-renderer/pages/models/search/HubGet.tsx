import { Box } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { HubQuantisation } from '../../../../src-preload/contract/hub.ts';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { Note } from '../../../components/Note.tsx';
import { Block } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { FitNote } from '../details/FitNote.tsx';
import { MemoryParts } from '../details/MemoryParts.tsx';
import { ModelPrimary } from '../details/ModelPrimary.tsx';
import { useOwn } from './use-own.ts';

interface HubGetProps {
  /** `owner/name`. */
  id: string;
  quantisation: HubQuantisation;
  downloads: Download[] | undefined;
}

/** The way to get or use the chosen quantisation; why there is none of what comes in several files. */
export function HubGet(props: HubGetProps) {
  return props.quantisation.pieces > 1 ? <InPieces quantisation={props.quantisation} /> : <InOneFile {...props} />;
}

function InPieces({ quantisation: { name, bytes, pieces } }: Pick<HubGetProps, 'quantisation'>) {
  const { t } = useTranslation('models');
  const format = useFormat();
  return (
    <Box mt={18}>
      <Note state="error" icon={IconAlertTriangle} title={t('hub.piecesTitle')}>
        {t('hub.piecesHelp', { name, count: pieces, size: format.bytes(bytes) })}
      </Note>
    </Box>
  );
}

/** The way to get or use it, and what it takes of the memory. */
function InOneFile({ id, quantisation, downloads }: HubGetProps) {
  const { t } = useTranslation('models');
  const { file, bytes, fit, model } = quantisation;
  const local = useOwn(quantisation);
  const name = local?.name ?? model;
  const download = downloads?.find((one) => one.name === name && one.state !== 'done');
  const row = { name, title: modelTitle(name).title, bytes, fit, local, download, use: 'chat' as const };
  return (
    <>
      <ModelPrimary row={row} wanted={{ repository: id, quantisation: file }} />
      <FitNote row={row} fit={fit} />
      {fit && (
        <Block title={t(fit.room.of === 'vram' ? 'memory.gpu' : 'memory.own')}>
          <MemoryParts fit={fit} />
        </Block>
      )}
    </>
  );
}
