import { Box, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nearest } from './line-path.ts';
import type { Plot } from './plot.ts';
import { type Reading, spoken } from './reading.ts';
import { Tip } from './Tip.tsx';

/** A tenth of the chart for Page Up and Page Down. */
const PAGES = 10;

/** Where the crosshair can stand, and what it shows there. Indexes count the stops. */
export interface Stops {
  /** Unix milliseconds, or what else is counted; rising. */
  times: readonly number[];
  x(plot: Plot, index: number): number;
  reading(plot: Plot, index: number): Reading;
  /** What is drawn over the chart there. */
  mark(plot: Plot, index: number): ReactNode;
}

/** The pointer stays where it is while time goes on below it; what the keys have chosen goes along with its time. */
type Chosen = { x: number } | { at: number };

interface ExplorerProps {
  plot: Plot;
  stops: Stops;
  /** Drawn below the crosshair. Made by whoever shows the explorer, so that moving the crosshair draws none of it again. */
  children: ReactNode;
}

/** A drawing in which pointer, finger and arrow keys look up figures. Only the keys make it speak: nobody hears a pointer move. */
export function Explorer({ plot, stops, children }: ExplorerProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Chosen>();
  const [said, setSaid] = useState('');
  const { times } = stops;
  const index = chosen && indexOf(chosen, plot, stops);

  const follow = (event: PointerEvent<HTMLElement>) => {
    setChosen({ x: event.clientX - event.currentTarget.getBoundingClientRect().left });
  };
  const leave = (event: PointerEvent<HTMLElement>) => {
    // A finger leaves whenever it is lifted: what it looked up stays until something else is touched.
    if (event.pointerType !== 'touch') setChosen(undefined);
  };
  const press = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? undefined : indexAfter(event.key, index, times.length);
    if (next === undefined && !(event.key === 'Escape' && chosen)) return;
    event.preventDefault();
    setChosen(next === undefined ? undefined : { at: times[next] ?? 0 });
    setSaid(next === undefined ? '' : spoken(stops.reading(plot, next), t('unknown')));
  };
  return (
    <>
      <Box
        role="application"
        aria-label={t('chart.explore')}
        tabIndex={0}
        bdrs="sm"
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={leave}
        onBlur={() => setChosen(undefined)}
        onKeyDown={press}
        style={{ touchAction: 'pan-y' }}
      >
        <Drawing plot={plot}>
          {children}
          {index !== undefined && stops.mark(plot, index)}
        </Drawing>
        {index !== undefined && <Tip plot={plot} x={stops.x(plot, index)} reading={stops.reading(plot, index)} />}
      </Box>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </>
  );
}

export function Drawing({ plot, children }: { plot: Plot; children: ReactNode }) {
  return (
    <svg width={plot.width} height={plot.height} style={{ display: 'block', overflow: 'visible' }} aria-hidden>
      {children}
    </svg>
  );
}

function indexOf(chosen: Chosen, plot: Plot, { times, x }: Stops): number | undefined {
  const index =
    'x' in chosen
      ? nearest(times.length, (one) => x(plot, one), chosen.x)
      : nearest(times.length, (one) => times[one] ?? 0, chosen.at);
  return index < 0 ? undefined : index;
}

/** Where a key moves the crosshair, which begins at the newest; undefined for keys that do not. */
export function indexAfter(key: string, index: number | undefined, count: number): number | undefined {
  const last = count - 1;
  const page = Math.ceil(count / PAGES);
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -page, PageDown: page };
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const step = steps[key];
  if (step === undefined) return undefined;
  return index === undefined ? last : Math.max(0, Math.min(last, index + step));
}
