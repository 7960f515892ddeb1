import { MOTION_BLOCKS } from '../../../src-preload/contract/focus-limits.ts';
import { activityBars } from './activity-bars.ts';
import classes from './focus.module.css';

interface ActivityStripProps {
  /** Blocks of the picture that changed, second by second. */
  seconds: readonly { motion: number }[];
  /** What it shows, for those who hear it. */
  label: string;
}

const BARS = 120;
/** Fewer do not fill the strip. */
const LEAST_BARS = 30;
const HEIGHT = 32;

/** How much of the picture changed over time, as bars: the highest of each stretch. */
export function ActivityStrip({ seconds, label }: ActivityStripProps) {
  const bars = activityBars(
    seconds.map(({ motion }) => motion),
    BARS,
    MOTION_BLOCKS.columns * MOTION_BLOCKS.rows,
  );
  return (
    <svg
      className={classes.strip}
      viewBox={`0 0 ${Math.max(bars.length, LEAST_BARS)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((share, at) => (
        <rect
          key={at}
          x={at}
          width={0.7}
          y={HEIGHT - Math.max(1, share * HEIGHT)}
          height={Math.max(1, share * HEIGHT)}
        />
      ))}
    </svg>
  );
}
