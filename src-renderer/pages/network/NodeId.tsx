import { Group, Text, Tooltip } from '@mantine/core';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { CopyId } from './CopyId.tsx';

/** The beginning of a node's id; the whole of it on hover or focus, and to copy. */
export function NodeId({ id }: { id: string }) {
  return (
    <Tooltip label={id} ff="monospace" events={{ hover: true, focus: true, touch: true }}>
      <Group gap={0} wrap="nowrap" display="inline-flex">
        <Text component="span" size="sm" ff="monospace">
          {shortId(id)}
        </Text>
        <CopyId id={id} />
      </Group>
    </Tooltip>
  );
}
