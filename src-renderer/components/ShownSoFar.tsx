import { Button, Center, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface ShownSoFarProps {
  /** How much of a list is shown, in a sentence. */
  children: string;
  /** The list, as it comes page by page. */
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>;
  };
}

/** The end of a list that comes page by page: how much there is of it, and a button for more. */
export function ShownSoFar({ children, pages }: ShownSoFarProps) {
  const { t } = useTranslation();
  return (
    <Center mt="sm">
      <Stack gap="xs" align="center">
        <Text size="sm" c="dimmed" role="status">
          {children}
        </Text>
        {pages.hasNextPage && (
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage({ cancelRefetch: false })}
          >
            {t('action.more')}
          </Button>
        )}
      </Stack>
    </Center>
  );
}
