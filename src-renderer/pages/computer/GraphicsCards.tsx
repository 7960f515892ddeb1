import { Button, Skeleton, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Card, Hardware } from '../../../src-preload/contract/node.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Meter } from '../../components/Meter.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import classes from './computer.module.css';

interface GraphicsCardsProps {
  hardware: Hardware | undefined;
  /** Undefined before main has told. */
  cards: readonly Card[] | undefined;
}

/** The graphics cards: whether models can use each, its memory, load, temperature and power as far as they can be read. */
export function GraphicsCards({ hardware, cards }: GraphicsCardsProps) {
  const { t } = useTranslation('computer');
  const rows = cards ?? [];
  const { reason, said, leftOut = [] } = hardware?.gpus ?? {};
  const settings = (
    <Button component="a" href="#/settings/engine" size="xs" variant="subtle" color="gray" mr={-10}>
      {t('cards.settings')}
    </Button>
  );
  return (
    <Section title={t('cards.title')} aside={rows.length > 1 && settings}>
      {(!hardware || !cards) && rows.length === 0 && <Skeleton height={88} aria-hidden />}
      {hardware && cards?.length === 0 && (
        <EmptyState title={t('cards.none')}>
          {reason ? worded({ reason, said }, 'reason') : t('cards.noneHint')}
        </EmptyState>
      )}
      {rows.length > 0 && <Cards rows={rows} />}
      {leftOut.map((one) => (
        <Text key={one.name} size="xs" c="dimmed" mt={8}>
          {t('cards.leftOut', { name: one.name, reason: worded(one, 'reason') })}
        </Text>
      ))}
    </Section>
  );
}

/** Columns that can be read of no card are left out, and one sentence says so. */
function Cards({ rows }: { rows: readonly Card[] }) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const columns = [
    { name: 'busy', written: ({ busy }: Card) => busy !== undefined && format.percent(busy) },
    { name: 'heat', written: ({ temperature: heat }: Card) => heat !== undefined && format.degrees(heat) },
    { name: 'power', written: ({ watts }: Card) => watts !== undefined && format.watts(watts) },
  ] as const;
  const shown = columns.filter(({ written }) => rows.some((row) => written(row)));
  return (
    <>
      <Table aria-label={t('cards.title')} horizontalSpacing={10} className={classes.cards}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th pl={0}>{t('cards.name')}</Table.Th>
            <Table.Th>{t('use.vram')}</Table.Th>
            {shown.map(({ name }) => (
              <Table.Th key={name} ta="right">
                {t(`cards.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            <Table.Tr key={place}>
              <Table.Th scope="row" pl={0} fz={13} c="var(--q-ink)">
                {row.name}
                <small>{row.backend ? t('cards.used', { by: backendName(row.backend) }) : t('cards.unused')}</small>
              </Table.Th>
              <Table.Td>
                <Memory row={row} />
              </Table.Td>
              {shown.map(({ name, written }) => (
                <Table.Td key={name} ta="right" className="num" data-label={t(`cards.${name}`)}>
                  {written(row) || '–'}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < columns.length && (
        <Text size="xs" c="dimmed" mt={8}>
          {t('cards.unread', {
            what: format.list(columns.filter((one) => !shown.includes(one)).map(({ name }) => t(`cards.what.${name}`))),
          })}
        </Text>
      )}
    </>
  );
}

function Memory({ row: { vramTotal, vramUsed } }: { row: Card }) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  if (vramTotal === undefined) return '–';
  if (vramUsed === undefined) return format.bytes(vramTotal);
  return (
    <div className={classes.memory}>
      <Meter parts={[{ share: vramUsed / vramTotal, colour: 'var(--q-c1)' }]} />
      <span className="num">{t('use.of', { used: format.bytes(vramUsed), total: format.bytes(vramTotal) })}</span>
    </div>
  );
}

/** As its makers write it. */
function backendName(backend: string): string {
  return { cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' }[backend] ?? backend;
}
