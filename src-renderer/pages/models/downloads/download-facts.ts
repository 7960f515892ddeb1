import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { useFormat } from '../../../i18n/format.ts';

/** How a download stands, in the colour of its bar. */
export const DOWNLOAD_COLOURS = {
  waiting: 'var(--q-c6)',
  downloading: 'var(--q-mining)',
  offline: 'var(--q-wait)',
  verifying: 'var(--q-mining)',
  paused: 'var(--q-c6)',
  failed: 'var(--q-error)',
  done: 'var(--q-mining)',
} as const;

/** How far, how fast, how long yet: what is known of a download now. */
export function useDownloadFacts({ state, bytes, received, bytesPerSecond, secondsLeft }: Download): string[] {
  const { t } = useTranslation('models');
  const format = useFormat();
  const moves = state === 'downloading';
  const facts = [
    bytes === null
      ? format.bytes(received)
      : t('downloads.of', { received: format.bytes(received), bytes: format.bytes(bytes) }),
    moves && bytesPerSecond > 0 && format.rate(bytesPerSecond),
    moves && secondsLeft !== null && t('downloads.left', { time: format.duration(secondsLeft * 1_000) }),
  ];
  return facts.filter((fact) => fact !== false);
}
