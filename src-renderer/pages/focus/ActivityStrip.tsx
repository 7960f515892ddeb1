import { barHeights } from './bar-heights.ts';
import classes from './focus.module.css';

interface ActivityStripProps {
  /** Blocks of the picture that changed, in each bar: at most {@link ACTIVITY_BARS}. */
  motion: readonly number[];
  /** What it shows, for those who hear it. */
  label: string;
}

/** As many as fit into the strip. */
export const ACTIVITY_BARS = 120;
/** Fewer do not fill the strip. */
const LEAST_BARS = 30;
const HEIGHT = 32;

/** How much of the picture changed over time, as bars: the highest of each stretch. */
export function ActivityStrip({ motion, label }: ActivityStripProps) {
  const bars = barHeights(motion);
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
