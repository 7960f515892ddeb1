import { Box, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SubmissionRole } from '../../../../src-preload/contract/data-names.ts';
import tableClasses from '../../../components/page/table.module.css';
import { Miners } from './Miners.tsx';
import { SubmissionList } from './SubmissionList.tsx';

const PARTS = ['all', 'sent', 'received', 'miners'] as const;
type Part = (typeof PARTS)[number];

/** What was handed in by this node, and to it; and who hands in what is worth most. */
export function Submissions() {
  const { t } = useTranslation('data');
  const [part, setPart] = useState<Part>('all');
  const parts = (
    <Box className={tableClasses.tools}>
      <SegmentedControl
        aria-label={t('submission.parts')}
        value={part}
        onChange={(value) => setPart(value as Part)}
        data={PARTS.map((value) => ({ value, label: t(`submission.part.${value}`) }))}
      />
    </Box>
  );
  if (part === 'miners') return <Miners tools={parts} />;
  const role: SubmissionRole | undefined = part === 'all' ? undefined : part;
  return <SubmissionList role={role} tools={parts} />;
}
