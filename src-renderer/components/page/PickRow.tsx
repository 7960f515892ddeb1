import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './table.module.css';

/**
 * How a name takes its room: `brief` and the second line ends in dots, `line` and it does itself too, `id` and it is an id, whole,
 * `short` and it is the short of one, of which the second line ends in dots.
 */
type Fit = 'brief' | 'line' | 'id' | 'short';

interface PickRowProps {
  name: string;
  /** The second line. */
  below: ReactNode;
  selected: boolean;
  onSelect: () => void;
  /** Of no use now: its name steps back. Default false */
  dim?: boolean;
  /** Default `brief` */
  fit?: Fit;
  /** The name takes all the room that the other columns leave; default: half of the table at most. */
  wide?: boolean;
  /** What pointing at the name tells. */
  title?: string;
  /** Cells before the name. */
  before?: ReactNode;
  /** The other cells. */
  children: ReactNode;
}

/** A row of a table that can be picked, by its name with the keyboard too; its details stand beside the table. */
export function PickRow(props: PickRowProps) {
  const { name, below, selected, onSelect, dim = false, fit = 'brief', wide = false, title, before, children } = props;
  return (
    <tr
      className={`${classes.row} ${classes.pick}`}
      data-selected={selected || undefined}
      data-dim={dim || undefined}
      onClick={onSelect}
    >
      {before}
      <th scope="row" className={fit === 'id' ? undefined : classes.brief} style={{ width: wide ? '100%' : undefined }}>
        <UnstyledButton
          className={fit === 'line' ? `${classes.name} ${classes.line}` : classes.name}
          ff={fit === 'id' || fit === 'short' ? 'monospace' : undefined}
          aria-current={selected || undefined}
          title={title}
        >
          {name}
        </UnstyledButton>
        <span className={classes.sub}>{below}</span>
      </th>
      {children}
    </tr>
  );
}
