import type { ComponentType, ReactNode } from 'react';
import classes from './small-parts.module.css';
import { type State, stateColours } from './state.ts';

interface StateChipProps {
  state: State;
  icon?: ComponentType<{ size: number; stroke?: number; 'aria-hidden': true }>;
  children: ReactNode;
}

/** How a thing is: by colour, icon and word. */
export function StateChip({ state, icon: Icon, children }: StateChipProps) {
  return (
    <span className={classes.chip} style={stateColours(state)}>
      {Icon && <Icon size={13} stroke={1.8} aria-hidden />}
      {children}
    </span>
  );
}
