import type { ReactNode } from 'react';
import classes from './page.module.css';

/** What a page shows below its header, in one column of sections. */
export function PageBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>;
}
