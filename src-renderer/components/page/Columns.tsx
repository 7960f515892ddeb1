import type { ReactNode } from 'react';
import classes from './page.module.css';

interface ColumnsProps {
  /** Widths as CSS has them for grid columns: `minmax(0, 1fr) 300px`. On a phone the columns stand below each other. */
  widths: string;
  children: ReactNode;
}

/** A page in columns that fill it and scroll by themselves: list, content, inspector. */
export function Columns({ widths, children }: ColumnsProps) {
  return (
    <div className={classes.columns} style={{ gridTemplateColumns: widths }}>
      {children}
    </div>
  );
}
