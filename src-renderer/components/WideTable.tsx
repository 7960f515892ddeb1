import { Table, type TableProps, type TableScrollContainerProps } from '@mantine/core';

interface WideTableProps extends Omit<TableProps, 'title' | 'aria-label'>, Pick<TableScrollContainerProps, 'minWidth'> {
  /** What the table is of, for those who hear it. */
  title: string;
}

/**
 * A table that is scrolled to the side where there is no room for it, by keyboard too; a bar shows that there is more of it.
 * @param minWidth pixels
 */
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
