import { Box, Group, Progress, Text } from '@mantine/core';
import type { ByteProgress } from '../../components/byte-work/useByteWork.ts';
import { useFormat } from '../../i18n/format.ts';

/** How far long work is; undefined before it says so. */
export function WorkProgress({ label, progress }: { label: string; progress: ByteProgress | undefined }) {
  const format = useFormat();
  const { done, total } = progress ?? { done: 0, total: 0 };
  const share = total > 0 ? done / total : 0;
  return (
    <Box>
      <Group justify="space-between">
        <Text size="sm" role="status">
          {label}
        </Text>
        {progress && (
          <Text size="sm" c="dimmed">
            {format.bytes(done)} / {format.bytes(total)}
          </Text>
        )}
      </Group>
      <Progress mt={6} value={progress ? share * 100 : 100} animated={!progress} aria-label={label} />
    </Box>
  );
}
