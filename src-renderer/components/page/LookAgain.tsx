import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

interface LookAgainProps {
  label: string;
  isLooking: boolean;
  look: () => void;
}

/** Looks once more at what changes elsewhere and does not tell of it. */
export function LookAgain({ label, isLooking, look }: LookAgainProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={isLooking}
      onClick={look}
    >
      {label}
    </Button>
  );
}
