import { Text } from '@mantine/core';
import { useFormat } from '../../../i18n/format.ts';

/** When something ends: how far off, and the time itself below. */
export function Until({ at }: { at: number }) {
  const format = useFormat();
  return (
    <>
      <Text size="sm">{format.relative(at)}</Text>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {format.time(at)}
      </Text>
    </>
  );
}
