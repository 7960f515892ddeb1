import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Card, Hardware } from '../../../src-preload/contract/node.ts';
import { Figure, Figures } from '../../components/Figures.tsx';
import { Meter } from '../../components/Meter.tsx';
import { useStanding } from '../../components/status/useStanding.ts';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';
import { fullestCards } from './fullest-cards.ts';
import { memoryUsed } from './memory-used.ts';

/** How much of the computer is in use, as task managers show it: what cannot be read is left out. */
export function InUse({ hardware, cards }: { hardware: Hardware | undefined; cards: readonly Card[] }) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const use = useNode(({ status }) => status?.health?.use);
  const { cpu, memory, temperature } = hardware ?? {};
  const used = memoryUsed(memory?.value, use?.memory.percent);
  const heat = temperature?.value?.cpu;
  const processor = cpu?.value && [
    t('use.threads', { count: cpu.value.logicalCores }),
    heat !== undefined && format.degrees(heat),
  ];
  const { busiest, fullest } = fullestCards(cards);
  return (
    <Figures>
      {use && (
        <Use label={t('use.cpu')} {...use.cpu}>
          {processor?.filter(Boolean).join(' · ')}
        </Use>
      )}
      {(use || used) && (
        <Use label={t('use.memory')} percent={used ? 100 * (used.used / used.total) : undefined} {...use?.memory}>
          {used && t('use.of', { used: format.bytes(used.used), total: format.bytes(used.total) })}
        </Use>
      )}
      {use?.gpu && (
        <Use label={t('use.gpu')} {...use.gpu}>
          {busiest?.name}
        </Use>
      )}
      {use?.vram && (
        <Use label={t('use.vram')} {...use.vram}>
          {fullest?.vramUsed !== undefined &&
            fullest.vramTotal !== undefined &&
            t('use.of', { used: format.bytes(fullest.vramUsed), total: format.bytes(fullest.vramTotal) })}
          {cards.length > 1 && fullest && <Box>{fullest.name}</Box>}
        </Use>
      )}
    </Figures>
  );
}

interface UseProps {
  label: string;
  percent: number | undefined;
  /** It is what this node refuses work for. */
  limits?: boolean;
  children: ReactNode;
}

function Use({ label, percent, limits: hinders = false, children }: UseProps) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const limits = useStanding() === 'refusing' && hinders;
  return (
    <Figure
      label={label}
      value={percent === undefined ? undefined : format.percent(percent / 100)}
      note={
        <>
          <Box mb={6}>
            <Meter parts={[{ share: (percent ?? 0) / 100, colour: limits ? 'var(--q-pause)' : 'var(--q-c1)' }]} />
          </Box>
          {children}
          {limits && <Box c="var(--q-pause)">{t('use.limits')}</Box>}
        </>
      }
    />
  );
}
