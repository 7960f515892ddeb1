import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type State, stateColours } from '../state.ts';
import classes from './banners.module.css';

interface BannerProps {
  state: State;
  icon: TablerIcon;
  role: 'status' | 'alert';
  action?: ReactNode;
  children: ReactNode;
}

/** A line below the header, whichever page is open. */
export function Banner({ state, icon: Icon, role, action, children }: BannerProps) {
  return (
    <div className={classes.banner} style={stateColours(state)} role={role}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span>{children}</span>
      {action}
    </div>
  );
}
