import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Meter } from '../Meter.tsx';
import { type Strength, strengthOf } from './strength.ts';

const SHARES: Record<Strength, number> = { short: 0.1, weak: 0.35, fair: 0.65, strong: 1 };
const COLOURS: Record<Strength, string> = {
  short: 'var(--q-error)',
  weak: 'var(--q-error)',
  fair: 'var(--q-pause)',
  strong: 'var(--q-mining)',
};

/** How hard a new password is to guess. Nothing before one is typed. */
export function StrengthHint({ password }: { password: string }) {
  const { t } = useTranslation('backup');
  if (password === '') return null;
  const strength = strengthOf(password);
  return (
    <Stack gap={4} mt={8}>
      <Meter parts={[{ share: SHARES[strength], colour: COLOURS[strength] }]} height={4} />
      <Text size="xs" c="dimmed" role="status">
        {t(`strength_${strength}`)}
      </Text>
    </Stack>
  );
}
