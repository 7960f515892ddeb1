import { Box, Group, Text } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { INK } from './colours.ts';
import { Dash } from './Legend.tsx';
import type { Plot } from './plot.ts';
import type { Reading, ReadingRow } from './reading.ts';

const BESIDE = 12;

interface TipProps {
  plot: Plot;
  /** Pixels: where the crosshair is. */
  x: number;
  reading: Reading;
}

/** The figures beside the crosshair: at its right, at its left where that is too narrow, and never out of the chart. */
export function Tip({ plot, x, reading }: TipProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    const width = place.current.offsetWidth;
    const wanted = x + BESIDE + width <= plot.width ? x + BESIDE : x - BESIDE - width;
    place.current.style.left = `${Math.max(0, Math.min(wanted, plot.width - width))}px`;
  });
  const dashes = reading.rows.filter(({ colour }) => colour).length > 1;
  return (
    <Box
      ref={place}
      data-chart="tip"
      pos="absolute"
      top={plot.top + 8}
      px={10}
      py={8}
      maw={plot.width}
      fz={12}
      lh="18px"
      bg={INK.raised}
      c={INK.strong}
      bdrs="md"
      bd={`1px solid ${INK.base}`}
      style={{ pointerEvents: 'none', zIndex: 1, boxShadow: 'var(--mantine-shadow-md)' }}
      aria-hidden
    >
      <Box c={INK.text}>{reading.title}</Box>
      {reading.rows.map((row) => (
        <Row key={row.label} row={row} dash={dashes} />
      ))}
    </Box>
  );
}

function Row({ row, dash }: { row: ReadingRow; dash: boolean }) {
  const tone = row.tone === 'ore' ? INK.ore : row.tone === 'pause' ? INK.pause : undefined;
  return (
    <Group justify="space-between" gap={14} wrap="nowrap" align="baseline">
      <Group component="span" gap={6} wrap="nowrap" c={row.value ? undefined : tone}>
        {dash && row.colour && <Dash colour={row.colour} />}
        {row.label}
      </Group>
      {row.value && (
        <Text span inherit fw={600} c={tone} style={{ whiteSpace: 'nowrap' }}>
          {row.value}
        </Text>
      )}
    </Group>
  );
}
