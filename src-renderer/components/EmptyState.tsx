import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './small-parts.module.css';

interface EmptyStateProps {
  title: string;
  /** What will be here and how to begin; a button perhaps. */
  children?: ReactNode;
}

/** What a list says that has nothing in it yet. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>{title}</p>
      {typeof children === 'string' ? <Text size="sm">{children}</Text> : children}
    </div>
  );
}
