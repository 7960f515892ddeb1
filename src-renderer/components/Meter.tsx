import { Box } from '@mantine/core';
import type { CSSProperties } from 'react';
import classes from './small-parts.module.css';

export interface MeterPart {
  /** 0–1 of the whole. */
  share: number;
  /** A CSS colour; default: teal. */
  colour?: string;
  /** Not there yet, or not sure. */
  hatched?: boolean;
}

interface MeterProps {
  /** What it shows, with the figures, for those who hear it; absent where the same stands in words beside it. */
  label?: string;
  parts: readonly MeterPart[];
  /** Pixels. Default 6. */
  height?: number;
}

/** How much of a whole, in one bar. */
export function Meter({ label, parts, height }: MeterProps) {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <Box className={classes.meter} h={height} {...named}>
      {parts.map(({ share, colour = 'var(--q-mining)', hatched }, place) => (
        <Box
          key={place}
          component="span"
          w={`${Math.max(0, Math.min(1, share)) * 100}%`}
          data-hatched={hatched || undefined}
          style={{ '--part': colour } as CSSProperties}
        />
      ))}
    </Box>
  );
}
