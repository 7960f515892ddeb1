import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

/** Figures in one row with lines between them; in two columns on a phone. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}

interface FigureProps {
  label: string;
  /** Undefined while it is on its way. */
  value: ReactNode | undefined;
  unit?: ReactNode;
  /** One line of meaning: a comparison, a reason, what comes next. */
  note?: ReactNode;
  /** The one that answers why people come to this page: larger, and a row of its own on a phone. */
  hero?: boolean;
  /** A row of its own on a phone, as the hero has. */
  wide?: boolean;
  /** What was earned is gold, and nothing else is. */
  earned?: boolean;
}

/** One figure with its name, and what it means. */
export function Figure({ label, value, unit, note, hero, wide, earned }: FigureProps) {
  return (
    <div data-wide={hero || wide || undefined}>
      <dt>{label}</dt>
      <dd className={classes.value} data-hero={hero || undefined} data-earned={earned || undefined}>
        {value ?? <Skeleton h={28} w={96} my={8} />}
        {unit && value !== undefined && <small>{unit}</small>}
      </dd>
      {note && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}
