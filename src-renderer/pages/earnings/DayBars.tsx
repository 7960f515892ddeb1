import { Box, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { CreditDay } from '../../../src-preload/contract/credits.ts';
import type { Format } from '../../i18n/format.ts';
import { axisTicks, type DayMeasure, totalAndBest } from './day-measure.ts';

const HEIGHT = 200;
const AXIS_WIDTH = 48;
const MOST_DATES = { wide: 6, narrow: 3 };
const NARROW = '(max-width: 36em)';
const CENTRED = { transform: 'translateX(-50%)', whiteSpace: 'nowrap' } as const;

interface DayBarsProps {
  days: CreditDay[];
  measure: DayMeasure;
  format: Format;
}

/** A bar a day. Days below zero, where a penalty outweighs the rest, show none; the table has their number. */
export function DayBars({ days, measure, format }: DayBarsProps) {
  const { t } = useTranslation('earnings');
  const { total, best } = totalAndBest(days, measure);
  const ticks = axisTicks(best?.[measure] ?? 0);
  const top = ticks.at(-1) ?? 1;
  const label = t('days.summary', {
    what: t(`days.${measure}`),
    count: days.length,
    total: format.number(total),
    best: format.number(best?.[measure] ?? 0),
    day: format.day(best?.at ?? 0),
  });
  return (
    <Stack gap="xs">
      <Box role="img" aria-label={label}>
        <Box pos="relative" h={HEIGHT} mt="xs">
          {ticks.map((tick) => (
            <GridLine key={tick} share={tick / top} label={format.number(tick)} />
          ))}
          <Group gap={days.length > 40 ? 2 : 6} wrap="nowrap" align="flex-end" h="100%" pl={AXIS_WIDTH} pos="relative">
            {days.map((day) => (
              <Bar key={day.at} day={day} share={Math.max(0, day[measure]) / top} format={format} />
            ))}
          </Group>
        </Box>
        <Dates days={days} format={format} />
      </Box>
      <Text size="sm" c="dimmed" aria-hidden>
        {label}
      </Text>
    </Stack>
  );
}

function GridLine({ share, label }: { share: number; label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" pos="absolute" left={0} right={0} bottom={`calc(${share * 100}% - 8px)`} h={16}>
      <Text size="xs" c="dimmed" w={AXIS_WIDTH - 8} ta="right" lh={1}>
        {label}
      </Text>
      <Box flex={1} h={1} bg="var(--mantine-color-default-border)" />
    </Group>
  );
}

function Bar({ day, share, format }: { day: CreditDay; share: number; format: Format }) {
  const { t } = useTranslation('earnings');
  const label = t('days.tooltip', {
    day: format.day(day.at),
    points: format.number(day.points),
    requests: format.number(day.requests),
    spent: format.number(day.spent),
  });
  return (
    <Tooltip label={label} multiline maw={240}>
      <Group align="flex-end" flex={1} h="100%" miw={0}>
        <Box
          w="100%"
          maw={48}
          mx="auto"
          h={`${share * 100}%`}
          mih={share > 0 ? 2 : 0}
          bg="var(--mantine-primary-color-filled)"
          bdrs="4px 4px 0 0"
        />
      </Group>
    </Tooltip>
  );
}

/** As many dates as there is room for, each under its bar. */
function Dates({ days, format }: { days: CreditDay[]; format: Format }) {
  const narrow = useMediaQuery(NARROW);
  const every = Math.ceil(days.length / MOST_DATES[narrow ? 'narrow' : 'wide']);
  return (
    <Box ml={AXIS_WIDTH} mt={6} h={18} pos="relative">
      {days.map(({ at }, index) => {
        if ((days.length - 1 - index) % every !== 0) return null;
        const left = `${(100 * (index + 0.5)) / days.length}%`;
        return (
          <Text key={at} size="xs" c="dimmed" pos="absolute" left={left} style={CENTRED}>
            {format.day(at)}
          </Text>
        );
      })}
    </Box>
  );
}
