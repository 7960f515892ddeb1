import { Box } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isTight, neededOf } from '../../../../src-preload/contract/fit-room.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { isSlow } from '../model/fit-group.ts';
import { useSpeedText } from '../model/memory-text.ts';
import { speedShown } from '../model/model-rows.ts';

/** What one should know before taking a model; nothing where it simply runs well. */
export function FitNote({ row, fit }: { row: Parameters<typeof speedShown>[0]; fit: ModelFit | null }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const speedText = useSpeedText();
  const told = tell();
  if (!told) return null;
  const [state, title, text] = told;
  return (
    <Box mt={14}>
      <Note state={state} icon={state === 'idle' ? IconInfoCircle : IconAlertTriangle} title={title}>
        {text}
      </Note>
    </Box>
  );

  function tell(): [state: 'idle' | 'pause' | 'error', title: string, text: string] | undefined {
    if (!fit) return ['idle', t('note.unknown'), t('note.unknownHelp')];
    const { room, runs, gpuLayers, layers, speed } = fit;
    const spare = room.usable - neededOf(room);
    if (runs === 'no') {
      const missing = format.bytes(Math.max(0, -spare));
      return ['error', t('note.large', { missing }), t('note.largeHelp')];
    }
    if (runs === 'partly') {
      const counts = { some: format.number(gpuLayers), all: format.number(layers) };
      return ['pause', t('note.partly', counts), t('note.partlyHelp')];
    }
    if (speedShown(row) && isSlow(fit)) {
      return ['pause', t('note.slow', { rate: speedText(speed.tokensPerSecond) }), t('note.slowHelp')];
    }
    if (!isTight(fit)) return undefined;
    return ['pause', t('note.tight', { spare: format.bytes(spare) }), t(`note.tightHelp.${room.of}`)];
  }
}
