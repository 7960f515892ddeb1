import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';

/** How long a code is good for, told by the minute, the last one by the second. @param until Unix milliseconds */
export function TimeLeft({ until }: { until: number }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  const [now, setNow] = useState(Date.now());
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true });
  const left = Math.max(0, until - now);
  const step = left > 60_000 ? 60_000 : 1_000;
  return <span>{t('mine.offer.left', { time: format.duration(Math.ceil(left / step) * step) })}</span>;
}
