import type { ComponentType, ReactNode } from 'react';
import classes from './small-parts.module.css';
import { type State, stateColours } from './state.ts';

interface NoteProps {
  /** Default: `idle`, which only informs. */
  state?: State;
  icon?: ComponentType<{ size: number; stroke?: number; 'aria-hidden': true }>;
  /** The first line, in ink. */
  title?: ReactNode;
  /** Buttons below; beside the text where `inline` is set and there is room. */
  actions?: ReactNode;
  inline?: boolean;
  role?: 'alert' | 'status';
  /** Between two sections: with their distance above. */
  spaced?: boolean;
  children?: ReactNode;
}

/** A few sentences on a soft ground, beside what they are about. */
export function Note({ state = 'idle', icon: Icon, title, actions, inline, role, spaced, children }: NoteProps) {
  return (
    <div
      className={classes.note}
      data-spaced={spaced || undefined}
      data-inline={inline || undefined}
      style={stateColours(state)}
      role={role}
    >
      {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
      <div>
        {title && <div className={classes.noteTitle}>{title}</div>}
        {children && <div>{children}</div>}
        {actions && <div className={classes.noteActions}>{actions}</div>}
      </div>
    </div>
  );
}
