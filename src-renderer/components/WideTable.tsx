import { Table, type TableProps } from '@mantine/core';

interface WideTableProps extends Omit<TableProps, 'title' | 'aria-label'> {
  /** What the table is of, for those who hear it. */
  title: string;
  /** Pixels; in a narrower place it scrolls to the side, by keyboard too. */
  minWidth: number;
}

/** A table that is scrolled where there is no room for it. */
export function WideTable({ title, minWidth, children, ...table }: WideTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': title } }}
    >
      <Table aria-label={title} verticalSpacing="xs" {...table}>
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
